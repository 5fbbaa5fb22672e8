// A convolution, relu, maximum over windows of 2 x 2, and the gradient of the sum of the results' squares
// for the image and the filter: the maximum's by select_and_scatter, the image's by a convolution with the
// filter reversed, the filter's by one with batch and features exchanged.
module @gradient {
  func.func public @main(%image: tensor<2x6x6x3xf32>, %filter: tensor<3x3x3x4xf32>) -> (tensor<f32> {jax.result_info = "loss"}, tensor<2x6x6x3xf32> {jax.result_info = "image"}, tensor<3x3x3x4xf32> {jax.result_info = "filter"}) {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zeros = stablehlo.constant dense<0.000000e+00> : tensor<2x6x6x4xf32>
    %two = stablehlo.constant dense<2.000000e+00> : tensor<2x3x3x4xf32>
    %0 = stablehlo.convolution(%image, %filter) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x6x6x4xf32>
    %1 = stablehlo.maximum %0, %zeros : tensor<2x6x6x4xf32>
    %2 = "stablehlo.reduce_window"(%1, %low) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %12 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<2x6x6x4xf32>, tensor<f32>) -> tensor<2x3x3x4xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<2x3x3x4xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x3x3x4xf32>, tensor<f32>) -> tensor<f32>
    %5 = stablehlo.multiply %2, %two : tensor<2x3x3x4xf32>
    %6 = "stablehlo.select_and_scatter"(%1, %5, %zero) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %12 = stablehlo.compare  GE, %a, %b,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %12 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %12 : tensor<f32>
    }) : (tensor<2x6x6x4xf32>, tensor<2x3x3x4xf32>, tensor<f32>) -> tensor<2x6x6x4xf32>
    %7 = stablehlo.compare  GT, %0, %zeros,  FLOAT : (tensor<2x6x6x4xf32>, tensor<2x6x6x4xf32>) -> tensor<2x6x6x4xi1>
    %8 = stablehlo.select %7, %6, %zeros : tensor<2x6x6x4xi1>, tensor<2x6x6x4xf32>
    %9 = stablehlo.reverse %filter, dims = [0, 1] : tensor<3x3x3x4xf32>
    %10 = stablehlo.convolution(%8, %9) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x4xf32>, tensor<3x3x3x4xf32>) -> tensor<2x6x6x3xf32>
    %11 = stablehlo.convolution(%image, %8) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x3xf32>, tensor<2x6x6x4xf32>) -> tensor<3x3x3x4xf32>
    return %4, %10, %11 : tensor<f32>, tensor<2x6x6x3xf32>, tensor<3x3x3x4xf32>
  }
}

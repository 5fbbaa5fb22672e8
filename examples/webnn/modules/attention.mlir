// Causal attention of 2 sequences of 6 tokens, 2 heads of 4 numbers each: softmax(q k^T / 2) v, where a
// token looks at itself and at what comes before it.
module @attention {
  func.func public @main(%q: tensor<2x6x2x4xf32>, %k: tensor<2x6x2x4xf32>, %v: tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %scale = stablehlo.constant dense<5.000000e-01> : tensor<2x2x6x6xf32>
    %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x6x6xf32>
    %1 = stablehlo.multiply %0, %scale : tensor<2x2x6x6xf32>
    %2 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare  GE, %2, %3,  SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %5 = stablehlo.broadcast_in_dim %4, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<2x2x6x6xi1>
    %6 = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2x2x6x6xf32>
    %7 = stablehlo.select %5, %1, %6 : tensor<2x2x6x6xi1>, tensor<2x2x6x6xf32>
    %8 = call @softmax(%7) : (tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32>
    %9 = stablehlo.dot_general %8, %v, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x2x6x6xf32>, tensor<2x6x2x4xf32>) -> tensor<2x2x6x4xf32>
    %10 = stablehlo.transpose %9, dims = [0, 2, 1, 3] : (tensor<2x2x6x4xf32>) -> tensor<2x6x2x4xf32>
    return %10 : tensor<2x6x2x4xf32>
  }
  func.func private @softmax(%x: tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32> {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x6xf32>
    %2 = stablehlo.subtract %x, %1 : tensor<2x2x6x6xf32>
    %3 = stablehlo.exponential %2 : tensor<2x2x6x6xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<2x2x6x6xf32>, tensor<f32>) -> tensor<2x2x6xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<2x2x6xf32>) -> tensor<2x2x6x6xf32>
    %6 = stablehlo.divide %3, %5 : tensor<2x2x6x6xf32>
    return %6 : tensor<2x2x6x6xf32>
  }
}

// Elementwise operations and those that move elements, in their pretty forms.
module @elements attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<2x3xf32> {jax.result_info = "sum"}, tensor<3xi32>) {
    %a = stablehlo.constant dense<[[1.0, -2.0, 3.0], [4.5, 0.25, -6.0]]> : tensor<2x3xf32>
    %b = stablehlo.constant dense<2.0> : tensor<2x3xf32>
    %i = stablehlo.constant dense<[1, -2, 7]> : tensor<3xi32>
    %0 = stablehlo.add %a, %b : tensor<2x3xf32>
    %1 = stablehlo.multiply %0, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    check.expect_eq_const %1, dense<[[6.0, 0.0, 10.0], [13.0, 4.5, -8.0]]> : tensor<2x3xf32>
    %2 = stablehlo.compare  GT, %a, %b,  FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    check.expect_eq_const %2, dense<[[false, false, true], [true, false, false]]> : tensor<2x3xi1>
    %3 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %4 = stablehlo.compare LT, %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    check.expect_eq %3, %4 : tensor<2x3xi1>
    %5 = stablehlo.select %2, %a, %b : tensor<2x3xi1>, tensor<2x3xf32>
    check.expect_eq_const %5, dense<[[2.0, 2.0, 3.0], [4.5, 2.0, 2.0]]> : tensor<2x3xf32>
    %low = stablehlo.constant dense<-1.0> : tensor<f32>
    %high = stablehlo.constant dense<1.0> : tensor<f32>
    %6 = stablehlo.clamp %low, %a, %high : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    check.expect_eq_const %6, dense<[[1.0, -1.0, 1.0], [1.0, 0.25, -1.0]]> : tensor<2x3xf32>
    %7 = stablehlo.convert %a : (tensor<2x3xf32>) -> tensor<2x3xi32>
    check.expect_eq_const %7, dense<[[1, -2, 3], [4, 0, -6]]> : tensor<2x3xi32>
    %8 = stablehlo.convert %a : tensor<2x3xf32>
    check.expect_close %8, %a, max_ulp_difference = 0 : tensor<2x3xf32>, tensor<2x3xf32>
    %9 = stablehlo.is_finite %a : (tensor<2x3xf32>) -> tensor<2x3xi1>
    check.expect_eq_const %9, dense<true> : tensor<2x3xi1>
    %10 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    check.expect_eq_const %10, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
    %11 = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
    %12 = stablehlo.broadcast %i, sizes = [2] : (tensor<3xi32>) -> tensor<2x3xi32>
    check.expect_eq %11, %12 : tensor<2x3xi32>
    %13 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    check.expect_eq_const %13, dense<[[1.0, 4.5], [-2.0, 0.25], [3.0, -6.0]]> : tensor<3x2xf32>
    %14 = stablehlo.reverse %i, dims = [0] : tensor<3xi32>
    check.expect_eq_const %14, dense<[7, -2, 1]> : tensor<3xi32>
    %15 = stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>
    check.expect_eq_const %15, dense<[[1.0, 3.0], [4.5, -6.0]]> : tensor<2x2xf32>
    %16 = stablehlo.concatenate %i, %i, %14, dim = 0 : (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<9xi32>
    check.expect_eq_const %16, dense<[1, -2, 7, 1, -2, 7, 7, -2, 1]> : tensor<9xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %17 = stablehlo.pad %i, %zero, low = [1], high = [-1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<5xi32>
    check.expect_eq_const %17, dense<[0, 1, 0, -2, 0]> : tensor<5xi32>
    %18 = stablehlo.dynamic_slice %a, %zero, %one, sizes = [2, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
    check.expect_eq_const %18, dense<[[-2.0, 3.0], [0.25, -6.0]]> : tensor<2x2xf32>
    %19 = stablehlo.dynamic_update_slice %a, %15, %zero, %one : (tensor<2x3xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    check.expect_eq_const %19, dense<[[1.0, 1.0, 3.0], [4.5, 4.5, -6.0]]> : tensor<2x3xf32>
    %20 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2x1xf32>
    check.expect_eq_const %20, dense<[[[1.0], [-2.0]], [[3.0], [4.5]], [[0.25], [-6.0]]]> : tensor<3x2x1xf32>
    %21 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
    check.expect_eq_const %21, dense<3> : tensor<i32>
    %22 = stablehlo.bitcast_convert %a : (tensor<2x3xf32>) -> tensor<2x3xi32>
    check.expect_eq_const %22, dense<[[1065353216, -1073741824, 1077936128], [1083179008, 1048576000, -1061158912]]> : tensor<2x3xi32>
    %23 = stablehlo.reduce_precision %a, format = e5m10 : tensor<2x3xf32>
    check.expect_eq %23, %a : tensor<2x3xf32>
    %24 = stablehlo.sqrt %b {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<2x3xf32>
    check.expect_almost_eq_const %24, dense<1.41421354> : tensor<2x3xf32>
    check.expect_almost_eq %24, %b, tolerance = 0.6 : tensor<2x3xf32>
    return %0, %14 : tensor<2x3xf32>, tensor<3xi32>
  }
}

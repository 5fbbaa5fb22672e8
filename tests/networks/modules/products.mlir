module {
  func.func @main() {
    %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %v = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
    %0 = stablehlo.dot %a, %v, precision = [HIGHEST, HIGHEST] : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
    check.expect_eq_const %0, dense<-1.0> : tensor<2xf32>
    %1 = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
    check.expect_eq_const %1, dense<[5.0, 25.0]> : tensor<2xf32>
    %2 = stablehlo.einsum %a, %a, config = "ab,bc->ca" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    check.expect_eq_const %2, dense<[[7.0, 15.0], [10.0, 22.0]]> : tensor<2x2xf32>
    %x = stablehlo.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>
    %k = stablehlo.constant dense<1.0> : tensor<2x2x1x1xf32>
    %3 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x2x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    check.expect_eq_const %3, dense<[[[[3.0]], [[7.0]]]]> : tensor<1x2x1x1xf32>
    %4 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x2x2x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x1x1x1xf32>
    check.expect_eq_const %4, dense<10.0> : tensor<1x1x1x1xf32>
    %5 = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    check.expect_almost_eq_const %5, dense<[[1.0, 2.0], [0.0, -2.0]]> : tensor<2x2xf32>
    %s = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>
    %6 = stablehlo.cholesky %s, lower = true : tensor<2x2xf32>
    check.expect_almost_eq_const %6, dense<[[2.0, 0.0], [1.0, 2.0]]> : tensor<2x2xf32>
    %b = stablehlo.constant dense<4.0> : tensor<2xf32>
    %7 = "stablehlo.batch_norm_inference"(%a, %v, %v, %v, %b) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    check.expect_almost_eq_const %7, dense<[[1.0, -2.5], [2.0, -3.5]]> : tensor<2x2xf32>
    %8:3 = "stablehlo.batch_norm_training"(%a, %b, %v) <{epsilon = 0.000000e+00 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
    check.expect_almost_eq_const %8#0, dense<[[-3.0, -5.0], [5.0, 3.0]]> : tensor<2x2xf32>
    check.expect_almost_eq_const %8#1, dense<[2.0, 3.0]> : tensor<2xf32>
    check.expect_almost_eq_const %8#2, dense<1.0> : tensor<2xf32>
    %9:3 = "stablehlo.batch_norm_grad"(%a, %b, %8#1, %8#2, %a) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
    check.expect_almost_eq_const %9#1, dense<2.0> : tensor<2xf32>
    check.expect_almost_eq_const %9#2, dense<[4.0, 6.0]> : tensor<2xf32>
    return
  }
}

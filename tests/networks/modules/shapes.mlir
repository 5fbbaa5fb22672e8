// Shapes that are operands, computed from constants.
module {
  func.func @main() {
    %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %shape = stablehlo.constant dense<[2, 3]> : tensor<2xindex>
    %0 = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [1] : (tensor<3xi32>, tensor<2xindex>) -> tensor<2x3xi32>
    check.expect_eq_const %0, dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>
    %two = stablehlo.constant dense<2> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %three = stablehlo.add %two, %one : tensor<i64>
    %4 = stablehlo.reshape %three : (tensor<i64>) -> tensor<1xi64>
    %5 = stablehlo.reshape %two : (tensor<i64>) -> tensor<1xi64>
    %6 = stablehlo.concatenate %4, %5, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %7 = stablehlo.dynamic_reshape %0, %6 : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<3x2xi32>
    check.expect_eq_const %7, dense<[[1, 2], [3, 1], [2, 3]]> : tensor<3x2xi32>
    %8 = stablehlo.dynamic_iota %6, dim = 0 : (tensor<2xi64>) -> tensor<3x2xi32>
    check.expect_eq_const %8, dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi32>
    %low = stablehlo.constant dense<1> : tensor<1xi64>
    %none = stablehlo.constant dense<0> : tensor<1xi64>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.dynamic_pad %a, %zero, %low, %none, %none : (tensor<3xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi32>
    check.expect_eq_const %9, dense<[0, 1, 2, 3]> : tensor<4xi32>
    %10 = stablehlo.real_dynamic_slice %9, %low, %4, %low : (tensor<4xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
    check.expect_eq_const %10, dense<[1, 2]> : tensor<2xi32>
    %11 = "stablehlo.dynamic_gather"(%a, %low, %low) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>}> : (tensor<3xi32>, tensor<1xi64>, tensor<1xi64>) -> tensor<i32>
    check.expect_eq_const %11, dense<2> : tensor<i32>
    %f = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
    %k = stablehlo.constant dense<1.0> : tensor<2x1x1xf32>
    %padding = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
    %12 = stablehlo.dynamic_conv(%f, %k, %padding) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x3x1xf32>
    check.expect_eq_const %12, dense<[[[1.0], [3.0], [5.0]]]> : tensor<1x3x1xf32>
    // Sizes that are chosen: the larger one, 3, where 2 is less than 3, of both counts of a list.
    %less = stablehlo.compare LT, %two, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %more = stablehlo.compare GE, %two, %three, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %both = stablehlo.or %less, %more : tensor<i1>
    %chosen = stablehlo.select %both, %three, %two : tensor<i1>, tensor<i64>
    %other = stablehlo.select %more, %three, %two : tensor<i1>, tensor<i64>
    %13 = stablehlo.reshape %chosen : (tensor<i64>) -> tensor<1xi64>
    %14 = stablehlo.reshape %other : (tensor<i64>) -> tensor<1xi64>
    %15 = stablehlo.concatenate %14, %13, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %16 = stablehlo.dynamic_iota %15, dim = 0 : (tensor<2xi64>) -> tensor<2x3xi32>
    check.expect_eq_const %16, dense<[[0, 0, 0], [1, 1, 1]]> : tensor<2x3xi32>
    %places = stablehlo.iota dim = 0 : tensor<2xi64>
    %first = stablehlo.constant dense<0> : tensor<2xi64>
    %is_first = stablehlo.compare EQ, %places, %first : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
    %turned = stablehlo.reverse %15, dims = [0] : tensor<2xi64>
    %17 = stablehlo.select %is_first, %turned, %15 : tensor<2xi1>, tensor<2xi64>
    %18 = stablehlo.clamp %two, %17, %three : (tensor<i64>, tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
    %19 = stablehlo.dynamic_iota %18, dim = 1 : (tensor<2xi64>) -> tensor<3x3xi32>
    check.expect_eq_const %19, dense<[[0, 1, 2], [0, 1, 2], [0, 1, 2]]> : tensor<3x3xi32>
    %20 = stablehlo.dynamic_slice %15, %one, sizes = [1] : (tensor<2xi64>, tensor<i64>) -> tensor<1xi64>
    %21 = stablehlo.dynamic_iota %20, dim = 0 : (tensor<1xi64>) -> tensor<3xi32>
    check.expect_eq_const %21, dense<[0, 1, 2]> : tensor<3xi32>
    return
  }
}

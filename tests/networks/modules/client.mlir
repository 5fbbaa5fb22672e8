// chlo and custom calls: operands that stretch, the largest elements, constants, neighbours of floats.
module {
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func private @least(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
func.func @main() {
  %m = stablehlo.constant dense<[[1.0, -2.0, 3.5], [4.0, 7.0, -6.0]]> : tensor<2x3xf32>
  %v = stablehlo.constant dense<[2.0, 3.0, -4.0]> : tensor<3xf32>
  %w = stablehlo.constant dense<[2.0, -3.0]> : tensor<2xf32>
  %s = stablehlo.constant dense<2.0> : tensor<f32>
  %add = chlo.broadcast_add %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %add, dense<[[3.000000000e+00, 1.000000000e+00, -5.000000000e-01], [6.000000000e+00, 1.000000000e+01, -1.000000000e+01]]> : tensor<2x3xf32>
  %subtract = chlo.broadcast_subtract %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %subtract, dense<[[-1.000000000e+00, -5.000000000e+00, 7.500000000e+00], [2.000000000e+00, 4.000000000e+00, -2.000000000e+00]]> : tensor<2x3xf32>
  %multiply = chlo.broadcast_multiply %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %multiply, dense<[[2.000000000e+00, -6.000000000e+00, -1.400000000e+01], [8.000000000e+00, 2.100000000e+01, 2.400000000e+01]]> : tensor<2x3xf32>
  %divide = chlo.broadcast_divide %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %divide, dense<[[5.000000000e-01, -6.666666865e-01, -8.750000000e-01], [2.000000000e+00, 2.333333254e+00, 1.500000000e+00]]> : tensor<2x3xf32>
  %maximum = chlo.broadcast_maximum %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %maximum, dense<[[2.000000000e+00, 3.000000000e+00, 3.500000000e+00], [4.000000000e+00, 7.000000000e+00, -4.000000000e+00]]> : tensor<2x3xf32>
  %minimum = chlo.broadcast_minimum %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %minimum, dense<[[1.000000000e+00, -2.000000000e+00, -4.000000000e+00], [2.000000000e+00, 3.000000000e+00, -6.000000000e+00]]> : tensor<2x3xf32>
  %remainder = chlo.broadcast_remainder %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %remainder, dense<[[1.000000000e+00, -2.000000000e+00, 3.500000000e+00], [0.000000000e+00, 1.000000000e+00, -2.000000000e+00]]> : tensor<2x3xf32>
  %atan2 = chlo.broadcast_atan2 %m, %v : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %atan2, dense<[[4.636476040e-01, -5.880026221e-01, 2.422762632e+00], [1.107148767e+00, 1.165904522e+00, -2.158798933e+00]]> : tensor<2x3xf32>
  %rows = chlo.broadcast_subtract %m, %w {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  check.expect_close_const %rows, dense<[[-1.000000000e+00, -4.000000000e+00, 1.500000000e+00], [7.000000000e+00, 1.000000000e+01, -3.000000000e+00]]> : tensor<2x3xf32>
  %left = chlo.broadcast_subtract %w, %m {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %left, dense<[[1.000000000e+00, 4.000000000e+00, -1.500000000e+00], [-7.000000000e+00, -1.000000000e+01, 3.000000000e+00]]> : tensor<2x3xf32>
  %scalar = chlo.broadcast_power %m, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_close_const %scalar, dense<[[1.000000000e+00, 4.000000000e+00, 1.225000000e+01], [1.600000000e+01, 4.900000000e+01, 3.600000000e+01]]> : tensor<2x3xf32>
  %c = stablehlo.constant dense<[[10.0], [20.0]]> : tensor<2x1xf32>
  %r = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %both = chlo.broadcast_add %c, %r : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %both, dense<[[11.0, 12.0, 13.0], [21.0, 22.0, 23.0]]> : tensor<2x3xf32>
  %same = chlo.broadcast_add %c, %r {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  check.expect_close_const %same, dense<[[11.0, 12.0, 13.0], [21.0, 22.0, 23.0]]> : tensor<2x3xf32>
  %i = stablehlo.constant dense<[[12, -7], [1, 40]]> : tensor<2x2xi32>
  %j = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %and = chlo.broadcast_and %i, %j : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %and, dense<[[0, 0], [1, 0]]> : tensor<2x2xi32>
  %or = chlo.broadcast_or %i, %j : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %or, dense<[[15, -5], [3, 42]]> : tensor<2x2xi32>
  %xor = chlo.broadcast_xor %i, %j : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %xor, dense<[[15, -5], [2, 42]]> : tensor<2x2xi32>
  %shift_left = chlo.broadcast_shift_left %i, %j : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %shift_left, dense<[[96, -28], [8, 160]]> : tensor<2x2xi32>
  %shift_right_arithmetic = chlo.broadcast_shift_right_arithmetic %i, %j : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %shift_right_arithmetic, dense<[[1, -2], [0, 10]]> : tensor<2x2xi32>
  %shift_right_logical = chlo.broadcast_shift_right_logical %i, %j : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %shift_right_logical, dense<[[1, 1073741822], [0, 10]]> : tensor<2x2xi32>
  %less = chlo.broadcast_compare %i, %j {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi1>
  check.expect_eq_const %less, dense<[[false, true], [true, false]]> : tensor<2x2xi1>
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %chosen = chlo.broadcast_select %p, %i, %one : (tensor<2xi1>, tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %chosen, dense<[[12, 1], [1, 1]]> : tensor<2x2xi32>
  %n = stablehlo.constant dense<[0.0, 1.0, -1.0, 0x7F7FFFFF, 0x00000001, 2.0]> : tensor<6xf32>
  %to = stablehlo.constant dense<[-1.0, 2.0, 0.0, 0x7F800000, 0.0, 2.0]> : tensor<6xf32>
  %next = chlo.next_after %n, %to : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  check.expect_eq_const %next, dense<[0x80000001, 0x3F800001, 0xBF7FFFFF, 0x7F800000, 0.0, 2.0]> : tensor<6xf32>
  %nexts = chlo.broadcast_next_after %n, %s : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  check.expect_eq_const %nexts, dense<[0x00000001, 0x3F800001, 0xBF7FFFFF, 0x7F7FFFFE, 0x00000002, 2.0]> : tensor<6xf32>
  %q = chlo.constant dense<[1.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<4xf32>
  %is_inf = chlo.is_inf %q : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %is_inf, dense<[false, true, true, false]> : tensor<4xi1>
  %is_pos_inf = chlo.is_pos_inf %q : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %is_pos_inf, dense<[false, true, false, false]> : tensor<4xi1>
  %is_neg_inf = chlo.is_neg_inf %q : tensor<4xf32> -> tensor<4xi1>
  check.expect_eq_const %is_neg_inf, dense<[false, false, true, false]> : tensor<4xi1>
  %conj = chlo.conj %v : tensor<3xf32> -> tensor<3xf32>
  check.expect_eq_const %conj, dense<[2.0, 3.0, -4.0]> : tensor<3xf32>
  %like = "chlo.constant_like"(%m) {value = 2.5 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %like, dense<2.5> : tensor<2x3xf32>
  %wide = "chlo.constant_like"(%v) <{value = 9007199254740993 : i64}> : (tensor<3xf32>) -> tensor<3xi64>
  check.expect_eq_const %wide, dense<9007199254740993> : tensor<3xi64>
  %t = stablehlo.constant dense<[[3.0, 5.0, 1.0, 5.0, -2.0], [-7.0, -1.0, -3.0, -1.0, -9.0]]> : tensor<2x5xf32>
  %k0:2 = chlo.top_k(%t, k = 2) : tensor<2x5xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %k0#0, dense<[[5.0, 5.0], [-1.0, -1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %k0#1, dense<[[1, 3], [1, 3]]> : tensor<2x2xi32>
  %k1:2 = stablehlo.custom_call @mhlo.topk(%t) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %k1#0, dense<[[5.0, 5.0], [-1.0, -1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %k1#1, dense<[[1, 3], [1, 3]]> : tensor<2x2xi32>
  %k2:2 = stablehlo.custom_call @mhlo.topk(%t) {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %k2#0, dense<[[-2.0, 1.0], [-9.0, -7.0]]> : tensor<2x2xf32>
  check.expect_eq_const %k2#1, dense<[[4, 2], [4, 0]]> : tensor<2x2xi32>
  %k3:2 = stablehlo.custom_call @TopK(%t) : (tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %k3#0, dense<[[5.0, 5.0], [-1.0, -1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %k3#1, dense<[[1, 3], [1, 3]]> : tensor<2x2xi32>
  %k4 = stablehlo.custom_call @TopK(%t) {backend_config = "", called_computations = [@greater], xla_shape = "(f32[2,2]{1,0}, s32[2,2]{1,0})"} : (tensor<2x5xf32>) -> tuple<tensor<2x2xf32>, tensor<2x2xi32>>
  %k4v = stablehlo.get_tuple_element %k4[0] : (tuple<tensor<2x2xf32>, tensor<2x2xi32>>) -> tensor<2x2xf32>
  %k4i = stablehlo.get_tuple_element %k4[1] : (tuple<tensor<2x2xf32>, tensor<2x2xi32>>) -> tensor<2x2xi32>
  check.expect_eq_const %k4v, dense<[[5.0, 5.0], [-1.0, -1.0]]> : tensor<2x2xf32>
  check.expect_eq_const %k4i, dense<[[1, 3], [1, 3]]> : tensor<2x2xi32>
  %k5 = stablehlo.custom_call @TopK(%t) {backend_config = "", called_computations = [@least], xla_shape = "(f32[2,2]{1,0}, s32[2,2]{1,0})"} : (tensor<2x5xf32>) -> tuple<tensor<2x2xf32>, tensor<2x2xi32>>
  %k5v = stablehlo.get_tuple_element %k5[0] : (tuple<tensor<2x2xf32>, tensor<2x2xi32>>) -> tensor<2x2xf32>
  %k5i = stablehlo.get_tuple_element %k5[1] : (tuple<tensor<2x2xf32>, tensor<2x2xi32>>) -> tensor<2x2xi32>
  check.expect_eq_const %k5v, dense<[[-2.0, 1.0], [-9.0, -7.0]]> : tensor<2x2xf32>
  check.expect_eq_const %k5i, dense<[[4, 2], [4, 0]]> : tensor<2x2xi32>
  return
}
}

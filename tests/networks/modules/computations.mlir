// Operations that take a computation.
func.func @main() {
  %a = stablehlo.constant dense<[[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]]> : tensor<2x3xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] {user = 1 : i64} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %0, dense<[9.0, 12.0]> : tensor<2xf32>
  %1 = stablehlo.reduce(%a init: %least) across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
   reducer(%x: tensor<f32>, %y: tensor<f32>)  {
    %8 = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }
  check.expect_eq_const %1, dense<6.0> : tensor<f32>
  // The largest element of each row and where it is.
  %2:2 = stablehlo.reduce(%a init: %least), (%i init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>)  {
    %8 = stablehlo.compare  GE, %x, %y,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %9 = stablehlo.select %8, %x, %y : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %2#0, dense<[5.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %2#1, dense<[1, 2]> : tensor<2xi32>
  %3 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>, padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %8 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %3, dense<[[1.0, 6.0, 8.0], [4.0, 6.0, 8.0]]> : tensor<2x3xf32>
  %4:2 = "stablehlo.sort"(%a, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %8 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<2x3xi32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  check.expect_eq_const %4#0, dense<[[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]> : tensor<2x3xf32>
  check.expect_eq_const %4#1, dense<[[0, 2, 1], [1, 0, 2]]> : tensor<2x3xi32>
  %5 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %8 = stablehlo.multiply %x, %y : tensor<f32>
    %9 = stablehlo.add %8, %zero : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %5, dense<[[1.0, 25.0, 9.0], [16.0, 4.0, 36.0]]> : tensor<2x3xf32>
  %where = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %6 = "stablehlo.gather"(%a, %where) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2x3xf32>
  check.expect_eq_const %6, dense<[[4.0, 2.0, 6.0], [1.0, 5.0, 3.0]]> : tensor<2x3xf32>
  %7 = "stablehlo.scatter"(%a, %where, %6) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %8 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %7, dense<[[2.0, 10.0, 6.0], [8.0, 4.0, 12.0]]> : tensor<2x3xf32>
  %source = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %selected = "stablehlo.select_and_scatter"(%a, %source, %zero) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %8 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %8 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x3xf32>
  check.expect_eq_const %selected, dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<2x3xf32>
  %rows = stablehlo.constant dense<[1, 1, 0]> : tensor<3xi32>
  %picked = "stablehlo.torch_index_select"(%a, %rows) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>
  check.expect_eq_const %picked, dense<[[4.0, 2.0, 6.0], [4.0, 2.0, 6.0], [1.0, 5.0, 3.0]]> : tensor<3x3xf32>
  return
}

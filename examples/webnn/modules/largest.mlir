// The 3 largest of each row's 10 numbers and where they stand, the first of equals first.
module @largest {
  func.func public @main(%x: tensor<4x10xf32>) -> (tensor<4x3xf32> {jax.result_info = "values"}, tensor<4x3xi32> {jax.result_info = "places"}) {
    %0 = stablehlo.iota dim = 1 : tensor<4x10xi32>
    %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
      %4 = stablehlo.compare  GT, %a, %b,  TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<4x10xf32>, tensor<4x10xi32>) -> (tensor<4x10xf32>, tensor<4x10xi32>)
    %2 = stablehlo.slice %1#0 [0:4, 0:3] : (tensor<4x10xf32>) -> tensor<4x3xf32>
    %3 = stablehlo.slice %1#1 [0:4, 0:3] : (tensor<4x10xi32>) -> tensor<4x3xi32>
    return %2, %3 : tensor<4x3xf32>, tensor<4x3xi32>
  }
}

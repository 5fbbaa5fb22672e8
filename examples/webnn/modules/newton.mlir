// Square roots by Newton's method: y <- (y + x / y) / 2 until no element changes by more than 1e-6 of
// itself, or 50 steps are done.
module @newton {
  func.func public @main(%x: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "root"}, tensor<i32> {jax.result_info = "steps"}) {
    %one = stablehlo.constant dense<1.000000e+00> : tensor<8xf32>
    %half = stablehlo.constant dense<5.000000e-01> : tensor<8xf32>
    %steps = stablehlo.constant dense<0> : tensor<i32>
    %far = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0:3 = stablehlo.while(%y = %one, %change = %far, %step = %steps) : tensor<8xf32>, tensor<f32>, tensor<i32>
     cond {
      %limit = stablehlo.constant dense<1.000000e-06> : tensor<f32>
      %most = stablehlo.constant dense<50> : tensor<i32>
      %1 = stablehlo.compare  GT, %change, %limit,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.compare  LT, %step, %most,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.and %1, %2 : tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %next = stablehlo.constant dense<1> : tensor<i32>
      %none = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.divide %x, %y : tensor<8xf32>
      %2 = stablehlo.add %y, %1 : tensor<8xf32>
      %3 = stablehlo.multiply %2, %half : tensor<8xf32>
      %4 = stablehlo.subtract %3, %y : tensor<8xf32>
      %5 = stablehlo.divide %4, %y : tensor<8xf32>
      %6 = stablehlo.abs %5 : tensor<8xf32>
      %7 = stablehlo.reduce(%6 init: %none) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
      %8 = stablehlo.add %step, %next : tensor<i32>
      stablehlo.return %3, %7, %8 : tensor<8xf32>, tensor<f32>, tensor<i32>
    }
    return %0#0, %0#2 : tensor<8xf32>, tensor<i32>
  }
}

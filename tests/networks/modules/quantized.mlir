module attributes {jax.uses_shape_polymorphism = true} {
  func.func @main() -> tensor<i1> {
    %a = stablehlo.constant dense<[[1.0, -2.0], [3.0, 0.5]]> : tensor<2x2xf32>
    %0 = stablehlo.uniform_quantize %a : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>
    %1 = stablehlo.add %0, %0 : (tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>) -> tensor<2x2x!quant.uniform<u8:f32, 0.25:100>>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x2x!quant.uniform<u8:f32, 0.25:100>>) -> tensor<2x2x!quant.uniform<u8:f32, 0.25:100>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<2x2x!quant.uniform<u8:f32, 0.25:100>>) -> tensor<2x2xf32>
    %4 = stablehlo.constant dense<[[2.0, 6.0], [-4.0, 1.25]]> : tensor<2x2xf32>
    %5 = stablehlo.custom_call @check.eq(%4, %3) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<i1>
    %6 = stablehlo.uniform_quantize %a : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25:-1}>>
    %7 = stablehlo.bitcast_convert %6 : (tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25:-1}>>) -> tensor<2x2xi8>
    check.expect_eq_const %7, dense<[[2, -9], [6, 1]]> : tensor<2x2xi8>
    %8 = stablehlo.dot_general %0, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>, tensor<2x2x!quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25:-1}>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.25>>
    %9 = stablehlo.uniform_dequantize %8 : (tensor<2x2x!quant.uniform<i32:f32, 0.25>>) -> tensor<2x2xf32>
    check.expect_eq_const %9, dense<[[-5.0, -3.0], [4.5, -5.75]]> : tensor<2x2xf32>
    // Computations of quantized values are done in the expressed type.
    %zero = stablehlo.constant() <{value = dense<10> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 0.5:10>>
    %10 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>, tensor<!quant.uniform<i8:f32, 0.5:10>>) -> tensor<2x!quant.uniform<i32:f32, 0.125>>
    %11 = stablehlo.bitcast_convert %10 : (tensor<2x!quant.uniform<i32:f32, 0.125>>) -> tensor<2xi32>
    check.expect_eq_const %11, dense<[-8, 28]> : tensor<2xi32>
    %12 = "stablehlo.sort"(%0) <{dimension = 1 : i64}> ({
    ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5:10>>, %y: tensor<!quant.uniform<i8:f32, 0.5:10>>):
      %20 = stablehlo.compare LT, %x, %y : (tensor<!quant.uniform<i8:f32, 0.5:10>>, tensor<!quant.uniform<i8:f32, 0.5:10>>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    }) : (tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>
    %13 = stablehlo.bitcast_convert %12 : (tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>) -> tensor<2x2xi8>
    check.expect_eq_const %13, dense<[[6, 12], [11, 16]]> : tensor<2x2xi8>
    %n = stablehlo.constant dense<0> : tensor<i32>
    %14:2 = stablehlo.while(%i = %n, %q = %0) : tensor<i32>, tensor<2x2x!quant.uniform<i8:f32, 0.5:10>> cond {
      %20 = stablehlo.constant dense<2> : tensor<i32>
      %21 = stablehlo.compare LT, %i, %20 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %21 : tensor<i1>
    } do {
      %20 = stablehlo.constant dense<1> : tensor<i32>
      %21 = stablehlo.add %i, %20 : tensor<i32>
      %22 = stablehlo.add %q, %0 : tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>
      stablehlo.return %21, %22 : tensor<i32>, tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>
    }
    %15 = stablehlo.uniform_dequantize %14#1 : (tensor<2x2x!quant.uniform<i8:f32, 0.5:10>>) -> tensor<2x2xf32>
    check.expect_eq_const %15, dense<[[3.0, -6.0], [9.0, 1.5]]> : tensor<2x2xf32>
    return %5 : tensor<i1>
  }
}

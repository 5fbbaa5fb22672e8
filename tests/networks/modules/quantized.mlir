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
    return %5 : tensor<i1>
  }
}

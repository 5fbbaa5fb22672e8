#loc = loc(unknown)
#loc1 = loc("model.py":12:3)
#numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>
!vector = tensor<2xf32>
!byte = !quant.uniform<i8:f32, 5.000000e-01>
module @"all literals" attributes {"quoted" = "a\22b\\c\n", empty = {}, map = affine_map<(d0, d1) -> (d1, d0)>} {
  func.func public @main() -> (!vector {jax.result_info = "result"}) attributes {llvm.linkage = "external"} {
    %nested = stablehlo.constant dense<[[1, -2], [0x7F, 0]]> : tensor<2x2xi8> loc(#loc1)
    %bytes = stablehlo.constant dense<"0x01FE7F00"> : tensor<2x2xi8> loc("a" at callsite("b" at "c"))
    check.expect_eq %nested, %bytes : tensor<2x2xi8>
    %flags = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %flag_bytes = stablehlo.constant dense<"0x010001"> : tensor<3xi1>
    %flag_bits = stablehlo.constant dense<"0x05"> : tensor<3xi1>
    check.expect_eq %flags, %flag_bytes : tensor<3xi1>
    check.expect_eq %flags, %flag_bits : tensor<3xi1>
    %special = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.0e-45]> : tensor<4xf32>
    %special_bytes = stablehlo.constant dense<"0x0000807F000080FF0000C07F01000000"> : tensor<4xf32>
    check.expect_eq %special, %special_bytes : tensor<4xf32>
    %half = stablehlo.constant dense<[1.5, 0x7C00, -0.0]> : tensor<3xf16>
    %half_bytes = stablehlo.constant dense<"0x003E007C0080"> : tensor<3xf16>
    check.expect_eq %half, %half_bytes : tensor<3xf16>
    %brain = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
    %brain_bytes = stablehlo.constant dense<"0xC03F00C0"> : tensor<2xbf16>
    check.expect_eq %brain, %brain_bytes : tensor<2xbf16>
    %wide = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
    %wide_bytes = stablehlo.constant dense<"0x0000000000000080FFFFFFFFFFFFFF7F"> : tensor<2xi64>
    check.expect_eq %wide, %wide_bytes : tensor<2xi64>
    %unsigned = stablehlo.constant dense<18446744073709551615> : tensor<2xui64>
    %unsigned_bytes = stablehlo.constant dense<"0xFFFFFFFFFFFFFFFF"> : tensor<2xui64>
    check.expect_eq %unsigned, %unsigned_bytes : tensor<2xui64>
    %short = stablehlo.constant dense<[-32768, 255]> : tensor<2xi16>
    %four = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
    %four_wide = stablehlo.convert %four : (tensor<2xi4>) -> tensor<2xi32>
    check.expect_eq_const %four_wide, dense<[-8, 7]> : tensor<2xi32>
    %short_wide = stablehlo.convert %short : (tensor<2xi16>) -> tensor<2xsi32>
    check.expect_eq_const %short_wide, dense<[-32768, 255]> : tensor<2xsi32>
    %weights = stablehlo.constant dense_resource<weights> : tensor<2xf32>
    check.expect_eq_const %weights, dense<[1.0, 2.0]> : tensor<2xf32>
    %product = "stablehlo.dot_general"(%weights, %weights) <{dot_dimension_numbers = #numbers, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (!vector, !vector) -> tensor<f32>
    check.expect_eq_const %product, dense<5.0> : tensor<f32>
    %q = stablehlo.constant() <{value = dense<[2, -4]> : tensor<2xi8>}> : () -> tensor<2x!byte>
    %d = stablehlo.uniform_dequantize %q : (tensor<2x!byte>) -> tensor<2xf32>
    check.expect_eq_const %d, dense<[1.0, -2.0]> : tensor<2xf32>
    %complex = stablehlo.constant {unused} dense<[[1, 2]]> : tensor<1x2xindex>
    %double = stablehlo.constant dense<[1.0, 0x7FF0000000000000]> : tensor<2xf64>
    return %weights : !vector loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc2 = loc(fused[#loc, "x"])

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040",
      other: "0x04000000"
    }
  },
  external_resources: {
    test: { a: true, b: "x" }
  }
#-}

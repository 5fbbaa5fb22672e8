// Functions of chlo that WebNN lacks, and custom calls of their names; expected values by mpmath.
func.func @main() {
  %x0 = stablehlo.constant dense<[-7.500000000e+00, -1.000000000e+00, 0.000000000e+00, 2.500000000e-01, 4.750000000e+00, 3.000000000e+01]> : tensor<6xf32>
  %y0 = chlo.bessel_i1e %x0 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y0, dense<[-1.380412132e-01, -2.079104185e-01, 0.000000000e+00, 9.811262786e-02, 1.673701704e-01, 7.191632688e-02]> : tensor<6xf32>, max_ulp_difference = 4
  %z0 = stablehlo.custom_call @mhlo.bessel_i1e(%x0) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_eq %z0, %y0 : tensor<6xf32>
  %x1 = stablehlo.constant dense<[-2.500000000e+00, -2.500000000e-01, 1.250000000e-01, 1.500000000e+00, 2.500000000e+00, 4.000000000e+01]> : tensor<6xf32>
  %y1 = chlo.digamma %x1 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y1, dense<[1.103156686e+00, 2.914139032e+00, -8.388492584e+00, 3.648997471e-02, 7.031566501e-01, 3.676327467e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %z1 = stablehlo.custom_call @mhlo.digamma(%x1) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_eq %z1, %y1 : tensor<6xf32>
  %x2 = stablehlo.constant dense<[-9.990234375e-01, -5.000000000e-01, 0.000000000e+00, 2.500000000e-01, 7.500000000e-01, 9.999999404e-01]> : tensor<6xf32>
  %y2 = chlo.erf_inv %x2 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y2, dense<[-2.331467867e+00, -4.769362807e-01, 0.000000000e+00, 2.253120542e-01, 8.134198189e-01, 3.832506895e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %z2 = stablehlo.custom_call @mhlo.erf_inv(%x2) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_eq %z2, %y2 : tensor<6xf32>
  %x3 = stablehlo.constant dense<[-3.000000000e+00, 0.000000000e+00, 5.000000000e-01, 3.000000000e+00, 6.000000000e+00, 1.000000000e+01]> : tensor<6xf32>
  %y3 = chlo.erfc %x3 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y3, dense<[1.999977946e+00, 1.000000000e+00, 4.795001149e-01, 2.209049671e-05, 2.151973726e-17, 1.401298464e-45]> : tensor<6xf32>, max_ulp_difference = 4
  %z3 = stablehlo.custom_call @mhlo.erfc(%x3) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_eq %z3, %y3 : tensor<6xf32>
  %x4 = stablehlo.constant dense<[-3.500000000e+00, -2.500000000e-01, 1.250000000e-01, 1.250000000e+00, 2.750000000e+00, 5.000000000e+01]> : tensor<6xf32>
  %y4 = chlo.lgamma %x4 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y4, dense<[-1.309006691e+00, 1.589575291e+00, 2.019418240e+00, -9.827183932e-02, 4.752146602e-01, 1.445657501e+02]> : tensor<6xf32>, max_ulp_difference = 4
  %z4 = stablehlo.custom_call @mhlo.lgamma(%x4) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_eq %z4, %y4 : tensor<6xf32>
  %a = stablehlo.constant dense<[-7.500000000e-01, -2.500000000e-01, 0.000000000e+00, 1.250000000e-01, 5.000000000e-01, 9.375000000e-01]> : tensor<6xf32>
  %c_erf = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.erf", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_erf, dense<[-7.111556530e-01, -2.763263881e-01, 0.000000000e+00, 1.403162032e-01, 5.204998851e-01, 8.151023984e-01]> : tensor<6xf32>, max_ulp_difference = 4
  %c_tan = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.tan", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_tan, dense<[-9.315964580e-01, -2.553419173e-01, 0.000000000e+00, 1.256551296e-01, 5.463024974e-01, 1.362071991e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %c_sinh = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.sinh", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_sinh, dense<[-8.223167062e-01, -2.526123226e-01, 0.000000000e+00, 1.253257692e-01, 5.210952759e-01, 1.080991864e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %c_cosh = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.cosh", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_cosh, dense<[1.294683337e+00, 1.031413078e+00, 1.000000000e+00, 1.007822633e+00, 1.127625942e+00, 1.472597599e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %c_asin = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.asin", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_asin, dense<[-8.480620980e-01, -2.526802421e-01, 0.000000000e+00, 1.253278255e-01, 5.235987902e-01, 1.215375066e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %c_acos = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.acos", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_acos, dense<[2.418858290e+00, 1.823476553e+00, 1.570796371e+00, 1.445468545e+00, 1.047197580e+00, 3.554212153e-01]> : tensor<6xf32>, max_ulp_difference = 4
  %c_atan = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.atan", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_atan, dense<[-6.435011029e-01, -2.449786663e-01, 0.000000000e+00, 1.243549958e-01, 4.636476040e-01, 7.531512976e-01]> : tensor<6xf32>, max_ulp_difference = 4
  %c_asinh = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.asinh", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_asinh, dense<[-6.931471825e-01, -2.474664599e-01, 0.000000000e+00, 1.246767491e-01, 4.812118113e-01, 8.364818692e-01]> : tensor<6xf32>, max_ulp_difference = 4
  %c_atanh = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.atanh", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_atanh, dense<[-9.729550481e-01, -2.554128170e-01, 0.000000000e+00, 1.256572157e-01, 5.493061543e-01, 1.716993570e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %c_acosh = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.acosh", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_acosh, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>, max_ulp_difference = 4
  %c_square = "stablehlo.custom_call"(%a) {backend_config = "", call_target_name = "mhlo.square", mhlo.attributes = {}} : (tensor<6xf32>) -> tensor<6xf32>
  check.expect_close_const %c_square, dense<[5.625000000e-01, 6.250000000e-02, 0.000000000e+00, 1.562500000e-02, 2.500000000e-01, 8.789062500e-01]> : tensor<6xf32>, max_ulp_difference = 4
  %e_erfc = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 1.100000000e+01, -8.000000000e+00, 1.005468750e+01]> : tensor<6xf32>
  %r_erfc = chlo.erfc %e_erfc : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %r_erfc, dense<[0.000000000e+00, 2.000000000e+00, 0x7FC00000, 0.000000000e+00, 2.000000000e+00, 6.937098617e-46]> : tensor<6xf32>, max_ulp_difference = 4
  %e_erf_inv = stablehlo.constant dense<[1.000000000e+00, -1.000000000e+00, 0x7FC00000, 1.500000000e+00, -2.000000000e+00, 0.000000000e+00]> : tensor<6xf32>
  %r_erf_inv = chlo.erf_inv %e_erf_inv : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %r_erf_inv, dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0.000000000e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %e_lgamma = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.000000000e+00, -3.000000000e+00, -1.677721600e+07]> : tensor<6xf32>
  %r_lgamma = chlo.lgamma %e_lgamma : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %r_lgamma, dense<[0x7F800000, 0x7F800000, 0x7FC00000, 0x7F800000, 0x7F800000, 0x7F800000]> : tensor<6xf32>, max_ulp_difference = 4
  %e_digamma = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.000000000e+00, -3.000000000e+00, 1.000000000e+00]> : tensor<6xf32>
  %r_digamma = chlo.digamma %e_digamma : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %r_digamma, dense<[0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0x7FC00000, -5.772156649e-01]> : tensor<6xf32>, max_ulp_difference = 4
  %e_bessel_i1e = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.000000000e+00, -0.000000000e+00, 1.000000000e-30]> : tensor<6xf32>
  %r_bessel_i1e = chlo.bessel_i1e %e_bessel_i1e : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %r_bessel_i1e, dense<[0.000000000e+00, -0.000000000e+00, 0x7FC00000, 0.000000000e+00, -0.000000000e+00, 5.000000000e-31]> : tensor<6xf32>, max_ulp_difference = 4
  %h_f16 = stablehlo.constant dense<[5.000000000e-01, -1.000000000e+00, 3.000000000e+00]> : tensor<3xf16>
  %k_f16 = chlo.erfc %h_f16 : tensor<3xf16> -> tensor<3xf16>
  check.expect_close_const %k_f16, dense<[4.795001222e-01, 1.842700793e+00, 2.209049700e-05]> : tensor<3xf16>, max_ulp_difference = 0
  %h_bf16 = stablehlo.constant dense<[5.000000000e-01, -1.000000000e+00, 9.000000000e+00]> : tensor<3xbf16>
  %k_bf16 = chlo.erfc %h_bf16 : tensor<3xbf16> -> tensor<3xbf16>
  check.expect_close_const %k_bf16, dense<[4.795001222e-01, 1.842700793e+00, 4.137031747e-37]> : tensor<3xbf16>, max_ulp_difference = 0
  return
}

// Functions of chlo that are made of others; expected values are the correctly rounded ones.
func.func @main() {
  %x0 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 2.500000000e+00, -8.000000000e+01, 8.890000153e+01, 3.000000119e-01]> : tensor<6xf32>
  %y0 = chlo.sinh %x0 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y0, dense<[1.000000214e-03, -8.223167319e-01, 6.050204481e+00, -2.770311192e+34, 2.031187935e+38, 3.045203059e-01]> : tensor<6xf32>, max_ulp_difference = 4
  %x1 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 2.500000000e+00, -8.000000000e+01, 8.890000153e+01, 3.000000119e-01]> : tensor<6xf32>
  %y1 = chlo.cosh %x1 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y1, dense<[1.000000500e+00, 1.294683285e+00, 6.132289480e+00, 2.770311192e+34, 2.031187935e+38, 1.045338518e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %x2 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 2.500000000e+00, -1.000000000e+08, 2.999999894e+30, 3.000000119e-01]> : tensor<6xf32>
  %y2 = chlo.asinh %x2 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y2, dense<[9.999998808e-04, -6.931471806e-01, 1.647231146e+00, -1.911382792e+01, 7.086931222e+01, 2.956730590e-01]> : tensor<6xf32>, max_ulp_difference = 4
  %x3 = stablehlo.constant dense<[1.000100017e+00, 1.500000000e+00, 2.500000000e+00, 1.000000000e+08, 2.999999894e+30]> : tensor<5xf32>
  %y3 = chlo.acosh %x3 : tensor<5xf32> -> tensor<5xf32>
  check.expect_close_const %y3, dense<[1.414319107e-02, 9.624236501e-01, 1.566799237e+00, 1.911382792e+01, 7.086931222e+01]> : tensor<5xf32>, max_ulp_difference = 4
  %x4 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 2.500000000e-01, -9.990000129e-01, 3.000000119e-01]> : tensor<5xf32>
  %y4 = chlo.atanh %x4 : tensor<5xf32> -> tensor<5xf32>
  check.expect_close_const %y4, dense<[1.000000381e-03, -9.729550745e-01, 2.554128119e-01, -3.800207608e+00, 3.095196173e-01]> : tensor<5xf32>, max_ulp_difference = 4
  %x5 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 2.500000000e-01, -9.990000129e-01, 1.000000000e+00, -1.000000000e+00]> : tensor<6xf32>
  %y5 = chlo.acos %x5 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y5, dense<[1.569796327e+00, 2.418858406e+00, 1.318116072e+00, 3.096867854e+00, 0.000000000e+00, 3.141592654e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %x6 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 2.500000000e-01, -9.990000129e-01, 1.000000000e+00, -1.000000000e+00]> : tensor<6xf32>
  %y6 = chlo.asin %x6 : tensor<6xf32> -> tensor<6xf32>
  check.expect_close_const %y6, dense<[1.000000214e-03, -8.480620790e-01, 2.526802551e-01, -1.526071528e+00, 1.570796327e+00, -1.570796327e+00]> : tensor<6xf32>, max_ulp_difference = 4
  %x7 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 2.500000000e-01, -9.990000129e-01, 1.000000020e+20]> : tensor<5xf32>
  %y7 = chlo.atan %x7 : tensor<5xf32> -> tensor<5xf32>
  check.expect_close_const %y7, dense<[9.999997142e-04, -6.435011088e-01, 2.449786631e-01, -7.848979198e-01, 1.570796327e+00]> : tensor<5xf32>, max_ulp_difference = 4
  %x8 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 1.500000000e+00, -3.000000000e+00]> : tensor<4xf32>
  %y8 = chlo.tan %x8 : tensor<4xf32> -> tensor<4xf32>
  check.expect_close_const %y8, dense<[1.000000381e-03, -9.315964599e-01, 1.410141995e+01, 1.425465431e-01]> : tensor<4xf32>, max_ulp_difference = 4
  %x9 = stablehlo.constant dense<[1.000000047e-03, -7.500000000e-01, 2.500000000e-01, -1.899999976e+00, 3.000000000e+00, 6.000000000e+00, -9.999999747e-05]> : tensor<7xf32>
  %y9 = chlo.erf %x9 : tensor<7xf32> -> tensor<7xf32>
  check.expect_close_const %y9, dense<[1.128378845e-03, -7.111556337e-01, 2.763263902e-01, -9.927904285e-01, 9.999779095e-01, 1.000000000e+00, -1.128379135e-04]> : tensor<7xf32>, max_ulp_difference = 4
  return
}

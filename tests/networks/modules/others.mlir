// Tuples, tokens, composites, collective operations of one replica, other dialects.
module @others attributes {mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=1]>
  func.func @main() {
    %a = mhlo.constant dense<[1.0, -0.5, 0.25]> : tensor<3xf32>
    %b = mhlo.add %a, %a : tensor<3xf32>
    %t = stablehlo.create_token : !stablehlo.token
    %t1 = stablehlo.after_all %t, %t : !stablehlo.token
    %0 = stablehlo.tuple %a, %b : tuple<tensor<3xf32>, tensor<3xf32>>
    %1 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>
    check.expect_eq_const %1, dense<[2.0, -1.0, 0.5]> : tensor<3xf32>
    %2:2 = stablehlo.optimization_barrier %a, %1 : tensor<3xf32>, tensor<3xf32>
    check.expect_eq %2#1, %b : tensor<3xf32>
    %3 = stablehlo.composite "test.twice" %2#0 {composite_attributes = {n = 2 : i64}, decomposition = @twice, version = 1 : i32} : (tensor<3xf32>) -> tensor<3xf32>
    check.expect_eq %3, %b : tensor<3xf32>
    %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %20 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<3xf32>) -> tensor<3xf32>
    check.expect_eq %5, %b : tensor<3xf32>
    %6 = stablehlo.replica_id : tensor<ui32>
    %7 = stablehlo.partition_id : tensor<ui32>
    check.expect_eq %6, %7 : tensor<ui32>
    %8 = stablehlo.custom_call @Sharding(%5) {mhlo.sharding = "{replicated}"} : (tensor<3xf32>) -> tensor<3xf32>
    %9 = sdy.sharding_constraint %8 <@mesh, [{"x"}]> : tensor<3xf32>
    %10 = chlo.square %9 : tensor<3xf32> -> tensor<3xf32>
    check.expect_eq_const %10, dense<[4.0, 1.0, 0.25]> : tensor<3xf32>
    %values, %indices = chlo.top_k(%10, k = 2) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
    check.expect_eq_const %values, dense<[4.0, 1.0]> : tensor<2xf32>
    check.expect_eq_const %indices, dense<[0, 1]> : tensor<2xi32>
    %11 = chlo.acos %a : tensor<3xf32> -> tensor<3xf32>
    check.expect_almost_eq_const %11, dense<[0.0, 2.09439510, 1.31811607]> : tensor<3xf32>
    %12 = chlo.asin %a : tensor<3xf32> -> tensor<3xf32>
    check.expect_almost_eq_const %12, dense<[1.57079633, -0.523598776, 0.252680255]> : tensor<3xf32>
    %13 = chlo.atan %a : tensor<3xf32> -> tensor<3xf32>
    check.expect_almost_eq_const %13, dense<[0.785398163, -0.463647609, 0.244978663]> : tensor<3xf32>
    %16 = chlo.erf %b : tensor<3xf32> -> tensor<3xf32>
    check.expect_close_const %16, dense<[0.995322265, -0.842700793, 0.520499878]> : tensor<3xf32>
    %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
    %low = stablehlo.constant dense<1.0> : tensor<f32>
    %high = stablehlo.constant dense<2.0> : tensor<f32>
    %14 = stablehlo.rng %low, %high, %shape, distribution =  UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x2xf32>
    %15 = stablehlo.floor %14 : tensor<2x2xf32>
    check.expect_eq_const %15, dense<1.0> : tensor<2x2xf32>
    %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
    %next, %bits = stablehlo.rng_bit_generator %state, algorithm =  THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    check.expect_eq_const %next, dense<[1, 4]> : tensor<2xui64>
    return
  }
  func.func private @twice(%arg0: tensor<3xf32> loc("x")) -> tensor<3xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

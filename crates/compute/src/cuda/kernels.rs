//! Compiling the kernels and finding them by name.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaFunction};
use cudarc::nvrtc::{CompileOptions, compile_ptx_with_opts};

use super::driver;
use super::table::{CHUNK, DIRECT_UNIT, FIXED_UNIT, GRADIENT_UNIT, PLAN_BLOCK, TILE};
use crate::ComputeError;

macro_rules! kernels {
    ($($name:ident)+) => {
        /// All kernels.
        #[derive(Debug)]
        pub(super) struct Kernels {
            $(pub(super) $name: CudaFunction,)+
        }

        impl Kernels {
            /// Compiles all kernels for a device.
            pub(super) fn compile(context: &Arc<CudaContext>) -> Result<Self, ComputeError> {
                let (major, minor) = context.compute_capability().map_err(driver)?;
                let options = vec![
                    format!("--gpu-architecture=compute_{major}{minor}"),
                    "--std=c++17".to_owned(),
                    format!("-DTILE={TILE}"),
                    format!("-DCHUNK={CHUNK}"),
                    format!("-DPLAN_BLOCK={PLAN_BLOCK}"),
                    format!("-DGRADIENT_UNIT={GRADIENT_UNIT:.1}f"),
                    format!("-DFIXED_UNIT={FIXED_UNIT:.1}f"),
                    format!("-DDIRECT_UNIT={DIRECT_UNIT:.1}"),
                ];
                let options = CompileOptions { options, ..CompileOptions::default() };
                let program = compile_ptx_with_opts(include_str!("kernels.cu"), options)
                    .map_err(|error| ComputeError::Kernels(error.to_string()))?;
                let module = context.load_module(program).map_err(driver)?;
                Ok(Self { $($name: module.load_function(stringify!($name)).map_err(driver)?,)+ })
            }
        }
    };
}

kernels! {
    table_shadow direct_shadow table_forward count_features plan_blocks plan_totals fill_chunks scatter_hits table_backward
    finish_slots coarse_gradient bias_sums finish_sums direct_forward direct_backward
    dense_forward narrow_forward dense_partial narrow_partial reduce_partial sum_gradients sum_gradients_in_pairs input_gradients
    activate activate_backward add_column value_loss ranking_loss total_loss adam round_numbers
}

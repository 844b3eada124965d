//! What a device that is missing or too small says.

#![cfg(feature = "cuda")]
#![allow(clippy::unwrap_used, reason = "tests may fail loudly")]

use kiebitz_compute::{ComputeError, Cuda, Device};

#[test]
fn a_missing_gpu_is_told_with_what_to_do() {
    match Cuda::open(0) {
        Ok(_) => eprintln!("skipped: there is a GPU"),
        Err(error) => {
            let text = error.to_string();
            assert!(matches!(error, ComputeError::NoCuda(_)), "{error:?}");
            assert!(text.starts_with("no CUDA device: ") && text.contains("use --device cpu"), "{text}");
            assert_eq!(text.lines().count(), 1, "one sentence: {text}");
        }
    }
}

#[test]
fn a_gpu_without_room_is_told_with_what_to_do() {
    let Ok(gpu) = Cuda::open(0) else {
        eprintln!("skipped: there is no GPU");
        return;
    };
    // Eight terabytes.
    let error = gpu.zeros(1 << 41).unwrap_err();
    assert_eq!(error, ComputeError::OutOfMemory);
    assert!(error.to_string().contains("choose a smaller batch"), "{error}");
    assert_eq!(gpu.read(&gpu.numbers(&[1.0, 2.0]).unwrap()).unwrap(), [1.0, 2.0], "it goes on to work");
}

//! `kiebitz-lab study`: many networks under one budget, compared.

mod display;
mod report;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use clap::Args;
use kiebitz_compute::{ComputeError, Device};
use kiebitz_forge::{Findings, ForgeError, Study, StudyPlan, StudySettings};

use self::display::Display;
use crate::forge::engine_program;
use crate::train::device::DeviceChoice;

/// What to study, and where.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The plan: data, budget, baseline, entries, groups.
    #[arg(value_name = "STUDY.toml")]
    plan: PathBuf,
    /// Where the work lies; by default workspace/studies/NAME.
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Where the report goes; by default the folder `report` there.
    #[arg(long, value_name = "FOLDER")]
    report: Option<PathBuf>,
    /// The engine program that plays [default: kiebitz beside this program, or in PATH].
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// What trains.
    #[arg(long, value_enum, default_value_t = DeviceChoice::Cpu)]
    device: DeviceChoice,
    /// Threads for everything; 0 means one for each CPU.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Tell what happens as JSON lines, the findings as the last one.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Every entry is trained under the same budget, quantised, proved, measured and tried against the baseline. An entry may keep the best
features of another one (select = { from = …, by = \"contribution\", keep = 1024 }): they are ranked by what it has learned. Interrupted
anywhere, also by kill -9, the same command goes on; what is finished is never done again. The report is a folder: report.md,
numbers.json, index.html and drawings.

Exit code: 0 when the report is there, 1 if something failed (also a single entry, of which the report then says why), 3 when it
was interrupted.

Examples:
  kiebitz-lab study runs/feature-sets-small.toml
  kiebitz-lab study runs/feature-sets-walks.toml --device cuda --report workspace/feature-sets";

/// The exit code of a job that was interrupted.
const EXIT_INTERRUPTED: u8 = 3;

pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<ExitCode> {
    let name = arguments.plan.display();
    let text = std::fs::read_to_string(&arguments.plan).with_context(|| format!("{name}"))?;
    let plan = StudyPlan::parse(&text).with_context(|| format!("{name}"))?;
    let folder = arguments.out.clone().unwrap_or_else(|| Path::new("workspace/studies").join(&plan.name));
    let report = arguments.report.clone().unwrap_or_else(|| folder.join("report"));
    let threads = NonZeroUsize::new(arguments.threads)
        .or_else(|| std::thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let study = Study::new(StudySettings {
        plan,
        folder,
        engine: engine_program(arguments.engine.as_deref())?,
        threads,
        program: concat!("kiebitz-lab ", env!("KIEBITZ_VERSION")).to_owned(),
        command: arguments.command(),
    })?;
    let count = arguments.threads;
    let result = match arguments.device {
        DeviceChoice::Cpu => watch(arguments, &study, || kiebitz_compute::Cpu::new(count), out),
        #[cfg(feature = "cuda")]
        DeviceChoice::Cuda => watch(arguments, &study, || kiebitz_compute::Cuda::open(0), out),
        #[cfg(not(feature = "cuda"))]
        DeviceChoice::Cuda => {
            anyhow::bail!("this program was built without CUDA; build it with --features cuda, or use --device cpu")
        }
    };
    let findings = match result {
        Err(error) if matches!(error.downcast_ref(), Some(ForgeError::Stopped(_))) => {
            writeln!(std::io::stderr(), "{error}")?;
            return Ok(ExitCode::from(EXIT_INTERRUPTED));
        }
        result => result?,
    };
    report::write(&findings, &report)?;
    if arguments.json {
        writeln!(out, "{}", serde_json::json!({ "event": "studied", "findings": findings }))?;
    } else {
        writeln!(out, "{}", report.join(report::CHAPTER).display())?;
    }
    for (name, reason) in &findings.failed {
        writeln!(std::io::stderr(), "entry {name} came to no network: {reason}")?;
    }
    Ok(if findings.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn watch<D: Device>(
    arguments: &Arguments,
    study: &Study,
    device: impl Fn() -> Result<D, ComputeError>,
    out: &mut impl Write,
) -> Result<Findings> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // Without a handler an interrupt ends the program at once; what is finished is safe either way.
    let _ = ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed));
    let mut display = Display::new(arguments.json);
    let mut failed = None;
    let result = study.run(device, &stop, &mut |event| {
        if let Err(error) = display.show(event, out) {
            failed = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    });
    display.close();
    match failed {
        Some(error) => Err(error),
        None => Ok(result?),
    }
}

impl Arguments {
    /// What repeats the study, without what only says where things lie.
    fn command(&self) -> String {
        let mut command = format!("kiebitz-lab study {}", self.plan.display());
        if self.device == DeviceChoice::Cuda {
            command.push_str(" --device cuda");
        }
        if let Some(report) = &self.report {
            command.push_str(&format!(" --report {}", report.display()));
        }
        command
    }
}

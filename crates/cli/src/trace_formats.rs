//! The files that traces come in, read row by row. What is wrong in one is said with its line.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use goodput_sim::{SimTime, Trace, TraceRequest};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A value and the line of the file in which it stands, from 1 on.
pub(crate) type Lined<T> = (u64, T);

/// The text of a file, without a byte order mark.
pub(crate) fn read(file: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A request of any format.
struct Row {
    /// [ns] since whatever the format counts from.
    at: i128,
    prompt: u32,
    output: u32,
}

/// A row of the Azure LLM inference traces.
#[derive(Deserialize)]
struct AzureRow {
    #[serde(rename = "TIMESTAMP")]
    timestamp: String,
    #[serde(rename = "ContextTokens")]
    prompt: u32,
    #[serde(rename = "GeneratedTokens")]
    output: u32,
}

/// A line of the Mooncake traces.
#[derive(Deserialize)]
struct MooncakeRow {
    /// [ms]
    timestamp: f64,
    input_length: u32,
    output_length: u32,
}

/// A line of the request timings of LLMServingSim's benchmark, as far as they are a trace.
#[derive(Deserialize)]
struct TimedRow {
    /// [s]
    queued_ts: f64,
    input_toks: u32,
    output_toks: u32,
}

impl TryFrom<AzureRow> for Row {
    type Error = anyhow::Error;

    fn try_from(AzureRow { timestamp, prompt, output }: AzureRow) -> anyhow::Result<Self> {
        let time = timestamp.parse::<DateTime>().and_then(|time| TimeZone::UTC.to_timestamp(time));
        let at = time
            .map_err(|_| anyhow!("TIMESTAMP = {timestamp:?}: allowed are times as 2023-11-16 18:15:46.6805900"))?
            .as_nanosecond();
        Ok(Self { at, prompt, output })
    }
}

impl From<MooncakeRow> for Row {
    fn from(row: MooncakeRow) -> Self {
        Self { at: (row.timestamp * 1e6).round() as i128, prompt: row.input_length, output: row.output_length }
    }
}

impl From<TimedRow> for Row {
    fn from(row: TimedRow) -> Self {
        Self { at: (row.queued_ts * 1e9).round() as i128, prompt: row.input_toks, output: row.output_toks }
    }
}

/// The trace in a text of one of the known formats, which its beginning tells.
pub(crate) fn trace(text: &str) -> anyhow::Result<Trace> {
    let rows = if text.trim_start().starts_with('{') {
        let first: Vec<Lined<Map<String, Value>>> = json_lines(text.trim_start().lines().next().unwrap_or_default())?;
        let has = |key| first.iter().any(|(_, keys)| keys.contains_key(key));
        if has("input_length") {
            converted::<MooncakeRow>(json_lines(text)?)?
        } else if has("queued_ts") {
            converted::<TimedRow>(json_lines(text)?)?
        } else {
            bail!("line 1 has neither \"input_length\" (Mooncake) nor \"queued_ts\" (LLMServingSim)");
        }
    } else {
        converted::<AzureRow>(csv_rows(text)?)?
    };
    let start = rows.iter().map(|(_, row)| row.at).min().unwrap_or_default();
    let requests = rows.iter().map(|(line, row)| request(row, start).with_context(|| format!("line {line}")));
    Ok(Trace::new(requests.collect::<anyhow::Result<_>>()?)?)
}

fn converted<T: TryInto<Row, Error: Into<anyhow::Error>>>(rows: Vec<Lined<T>>) -> anyhow::Result<Vec<Lined<Row>>> {
    let convert = |(line, row): Lined<T>| match row.try_into() {
        Ok(row) => Ok((line, row)),
        Err(error) => Err(error.into().context(format!("line {line}"))),
    };
    rows.into_iter().map(convert).collect()
}

fn request(row: &Row, start: i128) -> anyhow::Result<TraceRequest> {
    let nanos = u64::try_from(row.at.saturating_sub(start)).context("comes centuries after the first request")?;
    Ok(TraceRequest::new(SimTime::from_nanos(nanos), row.prompt, row.output)?)
}

/// The objects of a text with one on each line; empty lines are passed over.
pub(crate) fn json_lines<T: DeserializeOwned>(text: &str) -> anyhow::Result<Vec<Lined<T>>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line): (u64, &str)| match serde_json::from_str(line) {
        Ok(value) => Ok((number, value)),
        Err(error) => {
            let (column, said) = (error.column(), error.to_string());
            // The error counts lines from this one, so its own place is left out.
            let said = said.split(" at line ").next().unwrap_or_default();
            Err(anyhow!("line {number}, column {column}: {said}"))
        }
    };
    lines.map(read).collect()
}

fn csv_rows<T: DeserializeOwned>(text: &str) -> anyhow::Result<Vec<Lined<T>>> {
    // With CRLF the reader counts the line feed to the record after it, and lines would be named one too low.
    let text = text.replace("\r\n", "\n");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().context("line 1")?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_refusal(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        rows.push((line, record.deserialize(Some(&headers)).map_err(|error| csv_refusal(&error))?));
    }
    Ok(rows)
}

/// Where and why a file is no table of the format.
fn csv_refusal(error: &csv::Error) -> anyhow::Error {
    let line = error.position().map_or(0, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            anyhow!("line {line}: {len} columns, where line 1 has {expected_len}")
        }
        csv::ErrorKind::Deserialize { err, .. } => match err.field() {
            Some(field) => anyhow!("line {line}, column {}: {}", field + 1, err.kind()),
            None => anyhow!("line {line}: {}", err.kind()),
        },
        _ => anyhow!("line {line}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::Trace;

    use super::trace;

    /// Seconds, prompts and answers.
    fn requests(trace: &Trace) -> Vec<(f64, u32, u32)> {
        trace.requests().map(|(at, lengths)| (at.as_secs(), lengths.prompt, lengths.output)).collect()
    }

    fn refused(text: &str) -> String {
        format!("{:#}", trace(text).expect_err(text))
    }

    #[test]
    fn each_format_gives_its_requests() {
        let azure = "TIMESTAMP,ContextTokens,GeneratedTokens\r\n\
                     2024-02-28 23:59:59.9000000,374,44\r\n2024-02-29 00:00:00.4000001,396,109\r\n";
        let mooncake = "{\"timestamp\": 3000, \"input_length\": 374, \"output_length\": 44, \"hash_ids\": [0]}\n\n\
                        {\"timestamp\": 3500, \"input_length\": 396, \"output_length\": 109, \"hash_ids\": [1, 2]}\n";
        let timed = "{\"queued_ts\": 12.25, \"input_toks\": 374, \"output_toks\": 44, \"last_token_ts\": 13}\n\
                     {\"queued_ts\": 12.75, \"input_toks\": 396, \"output_toks\": 109, \"last_token_ts\": 14}";
        let expected = [(0.0, 374, 44), (0.5, 396, 109)];
        assert_eq!(requests(&trace(azure).expect("Azure")), [(0.0, 374, 44), (0.500_000_1, 396, 109)]);
        assert_eq!(requests(&trace(mooncake).expect("Mooncake")), expected);
        assert_eq!(requests(&trace(timed).expect("timings")), expected);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let azure = |row: &str| {
            refused(&format!("TIMESTAMP,ContextTokens,GeneratedTokens\r\n2024-02-29 00:00:00,1,1\r\n{row}"))
        };
        assert_eq!(azure("2024-02-29 00:00:01,many,1"), "line 3, column 2: invalid digit found in string");
        assert_eq!(azure("2024-02-29 00:00:01,1,0"), "line 3: output = 0 tokens: allowed are 1 to 100000 tokens");
        assert_eq!(
            azure("yesterday,1,1"),
            "line 3: TIMESTAMP = \"yesterday\": allowed are times as 2023-11-16 18:15:46.6805900"
        );
        assert_eq!(azure("2024-02-29 00:00:01,1"), "line 3: 2 columns, where line 1 has 3");
        assert_eq!(refused("a,b\n1,2\n"), "line 2: missing field `TIMESTAMP`");
        let line = "{\"timestamp\": 1, \"input_length\": 1, \"output_length\": 1}\n";
        assert_eq!(refused(&format!("{line}{{\"timestamp\": 2}}")), "line 2, column 16: missing field `input_length`");
        assert_eq!(refused(&format!("{line}{{\"timestamp\" 2}}")), "line 2, column 14: expected `:`");
        assert_eq!(
            refused("{\"time\": 1}"),
            "line 1 has neither \"input_length\" (Mooncake) nor \"queued_ts\" (LLMServingSim)"
        );
        assert_eq!(refused(""), "a trace needs at least two requests that come at different instants");
        assert_eq!(refused(line), "a trace needs at least two requests that come at different instants");
        let late = "{\"timestamp\": 1e300, \"input_length\": 1, \"output_length\": 1}";
        assert!(refused(&format!("{line}{late}")).starts_with("line 2: comes centuries after the first request"));
    }
}

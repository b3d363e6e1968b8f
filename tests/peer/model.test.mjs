// The peer gives the lesson's figures. Run: `node --test tests/peer/model.test.mjs`.
//
// The lesson's figures know neither inter-token latencies nor steps: the benchmark checks those against the engine.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { differences } from "./compare.js";
import { LESSON, mulberry32, run, sweep } from "./model.js";

const { rows } = JSON.parse(readFileSync(new URL("../data/lesson.json", import.meta.url), "utf8"));

test("the draws are the lesson's", () => {
  const draw = mulberry32(3);
  const first = Array.from({ length: 4 }, draw);
  assert.deepEqual(first, [0.7202267837710679, 0.03866216051392257, 0.4561921926215291, 0.07492800964973867]);
});

for (const row of rows) {
  test(`${row.rate_per_s} requests/s gives the lesson's figures`, () => {
    assert.deepEqual(differences(run({ ...LESSON, rate: row.rate_per_s }, { itl: false }), row), []);
  });
}

test("inter-token latencies are left out on demand, and nothing else", () => {
  const { itl_s: itl, ...rest } = run(LESSON);
  assert.deepEqual(run(LESSON, { itl: false }), rest);
  // Most gaps are one step, some stretch over a prefill, and their mean is the mean TPOT.
  assert.ok(itl.p50 < rest.tpot_s.p50 && itl.p99 > rest.tpot_s.p99);
});

test("a sweep is its runs", () => {
  const runs = [4, 5, 6].map((rate) => run({ ...LESSON, rate }));
  assert.deepEqual(sweep(LESSON, [4, 5, 6]), runs);
});

test("a comparison sees what differs", () => {
  const expected = { good: 7, slo_attainment: null, ttft_s: { p50: 0.5, p99: 1.25 } };
  const actual = { good: 8, slo_attainment: 0, ttft_s: { p50: 0.5000005, p99: 1.3 }, more: 1 };
  assert.deepEqual(differences(actual, expected), [
    "good: 8 is not 7",
    "slo_attainment: 0 is not null",
    "ttft_s.p99: 1.3 is not 1.25",
  ]);
});

//! The sum of end-to-end latency, E2E = TTFT + TPOT × (n - 1): fresh numbers each time, and what a wrong answer tells.

/// How far off an answer may be and is still right.
const TOLERANCE: f64 = 0.02;
/// How near an answer must be to a typical slip to be taken for it.
const LIKENESS: f64 = 0.01;

// Their lengths have no common factor, so the three change together and repeat only after all of their combinations.
const TOKENS: [u32; 6] = [300, 200, 150, 250, 120, 180];
const TTFT_MS: [u32; 5] = [400, 600, 900, 1200, 1500];
const TPOT_MS: [u32; 7] = [30, 20, 40, 25, 50, 35, 45];

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Length of the answer [tokens].
    pub tokens: u32,
    /// Time to first token [ms].
    pub ttft_ms: u32,
    /// Time per output token [ms].
    pub tpot_ms: u32,
}

/// A typical way to get it wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// The wait for the first token was left out.
    NoTtft,
    /// Milliseconds and seconds were mixed, or the point is elsewhere.
    Units,
    /// TTFT was counted for every token.
    TtftEach,
    /// TPOT was counted once.
    OneGap,
}

/// What is to be said of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Within the tolerance.
    Right,
    /// Within the tolerance, and just what n in place of n - 1 gives.
    RightWithN,
    /// Wrong, and known how.
    Slip(Slip),
    /// Wrong, and too little.
    Low,
    /// Wrong, and too much.
    High,
    /// No number.
    NoNumber,
}

impl Verdict {
    /// Whether the answer counts as right.
    #[must_use]
    pub fn is_right(self) -> bool {
        matches!(self, Self::Right | Self::RightWithN)
    }
}

impl Question {
    /// The first one is the lesson's.
    const FIRST: Self = Self::at(0);

    const fn at(turn: usize) -> Self {
        Self {
            tokens: TOKENS[turn % TOKENS.len()],
            ttft_ms: TTFT_MS[turn % TTFT_MS.len()],
            tpot_ms: TPOT_MS[turn % TPOT_MS.len()],
        }
    }

    /// TPOT × (n - 1): all tokens after the first [ms].
    #[must_use]
    pub fn rest_ms(&self) -> u32 {
        self.tpot_ms * (self.tokens - 1)
    }

    /// The answer [ms].
    #[must_use]
    pub fn e2e_ms(&self) -> u32 {
        self.ttft_ms + self.rest_ms()
    }

    /// What n in place of n - 1 gives [ms].
    #[must_use]
    pub fn with_n_ms(&self) -> u32 {
        self.e2e_ms() + self.tpot_ms
    }

    /// What typical slips give [s].
    fn slips(&self) -> [(Slip, f64); 12] {
        let (n, ttft, tpot) = (f64::from(self.tokens), seconds(self.ttft_ms), seconds(self.tpot_ms));
        let (rest, e2e) = (seconds(self.rest_ms()), seconds(self.e2e_ms()));
        [
            (Slip::NoTtft, rest),
            (Slip::NoTtft, tpot * n),
            (Slip::Units, e2e * 1000.0),
            (Slip::Units, e2e / 1000.0),
            (Slip::Units, e2e * 10.0),
            (Slip::Units, e2e / 10.0),
            (Slip::Units, e2e / 100.0),
            (Slip::Units, ttft * 1000.0 + rest),
            (Slip::Units, ttft + rest * 1000.0),
            (Slip::TtftEach, (ttft + tpot) * n),
            (Slip::TtftEach, (ttft + tpot) * (n - 1.0)),
            (Slip::OneGap, ttft + tpot),
        ]
    }

    /// No slip could be taken for the right answer, and no slip for one of another kind.
    fn is_clear(&self) -> bool {
        let e2e = seconds(self.e2e_ms());
        let slips = self.slips();
        slips.iter().all(|&(slip, value)| {
            !is_near(value, e2e, 1.5 * TOLERANCE)
                && slips.iter().all(|&(other, than)| other == slip || !is_near(value, than, 2.5 * LIKENESS))
        })
    }

    /// Judges an answer [s].
    #[must_use]
    pub fn judge(&self, answer: Option<f64>) -> Verdict {
        let Some(answer) = answer.filter(|answer| answer.is_finite()) else { return Verdict::NoNumber };
        let e2e = seconds(self.e2e_ms());
        if is_near(answer, e2e, TOLERANCE) {
            // Rounded, the two often are the same: then there is nothing to remark.
            let is_rounded = (answer - (e2e * 10.0).round() / 10.0).abs() < 1e-9;
            let with_n = (answer - seconds(self.with_n_ms())).abs() < 1e-9;
            return if with_n && !is_rounded { Verdict::RightWithN } else { Verdict::Right };
        }
        match self.slips().into_iter().find(|&(_, value)| is_near(answer, value, LIKENESS)) {
            Some((slip, _)) => Verdict::Slip(slip),
            None if answer < e2e => Verdict::Low,
            None => Verdict::High,
        }
    }
}

fn is_near(value: f64, wanted: f64, share: f64) -> bool {
    (value - wanted).abs() <= share * wanted
}

fn seconds(ms: u32) -> f64 {
    f64::from(ms) / 1000.0
}

/// Milliseconds as seconds, without needless zeros: `9.37`, `0.03`, `6`.
#[must_use]
pub fn in_seconds(ms: u32) -> String {
    let (whole, rest) = (ms / 1000, ms % 1000);
    if rest == 0 { whole.to_string() } else { format!("{whole}.{rest:03}").trim_end_matches('0').to_owned() }
}

/// The questions of a visit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quiz {
    turn: usize,
    /// The question in view.
    pub question: Question,
    /// What was said of the last answer to it.
    pub verdict: Option<Verdict>,
    /// Questions answered, rightly or not.
    pub tried: u32,
    /// Questions answered rightly.
    pub right: u32,
}

impl Default for Quiz {
    fn default() -> Self {
        Self { turn: 0, question: Question::FIRST, verdict: None, tried: 0, right: 0 }
    }
}

impl Quiz {
    /// Judges an answer [s] to the question in view, and counts it once.
    pub fn answer(&mut self, answer: Option<f64>) -> Verdict {
        let verdict = self.question.judge(answer);
        if verdict == Verdict::NoNumber {
            return verdict;
        }
        if self.verdict.is_none() {
            self.tried += 1;
        }
        if verdict.is_right() && !self.verdict.is_some_and(Verdict::is_right) {
            self.right += 1;
        }
        self.verdict = Some(verdict);
        verdict
    }

    /// Asks another question.
    pub fn another(&mut self) {
        // The first question is clear, so this ends after one round at the latest.
        loop {
            self.turn = (self.turn + 1) % (TOKENS.len() * TTFT_MS.len() * TPOT_MS.len());
            self.question = Question::at(self.turn);
            if self.question.is_clear() {
                break;
            }
        }
        self.verdict = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every question until the first comes again.
    fn round() -> Vec<Question> {
        let mut quiz = Quiz::default();
        let mut asked = vec![quiz.question];
        loop {
            quiz.another();
            if quiz.question == Question::FIRST {
                return asked;
            }
            asked.push(quiz.question);
        }
    }

    #[test]
    fn the_first_question_is_the_lessons() {
        let question = Quiz::default().question;
        assert_eq!(question, Question { tokens: 300, ttft_ms: 400, tpot_ms: 30 });
        assert_eq!(question.e2e_ms(), 9370);
        for (answer, verdict) in [
            (9.4, Verdict::Right),
            (9.37, Verdict::Right),
            (9.2, Verdict::Right),
            (9.1, Verdict::Low),
            (9.7, Verdict::High),
            (8.97, Verdict::Slip(Slip::NoTtft)),
            (9.0, Verdict::Slip(Slip::NoTtft)),
            (9370.0, Verdict::Slip(Slip::Units)),
            (408.97, Verdict::Slip(Slip::Units)),
            (8970.4, Verdict::Slip(Slip::Units)),
            (0.94, Verdict::Slip(Slip::Units)),
            (129.0, Verdict::Slip(Slip::TtftEach)),
            (0.43, Verdict::Slip(Slip::OneGap)),
            (-9.4, Verdict::Low),
            (0.0, Verdict::Low),
            (f64::INFINITY, Verdict::NoNumber),
        ] {
            assert_eq!(question.judge(Some(answer)), verdict, "{answer}");
        }
        assert_eq!(question.judge(None), Verdict::NoNumber);
    }

    #[test]
    fn the_numbers_are_fresh_for_a_long_time() {
        let asked = round();
        assert!(asked.len() > 60, "{}", asked.len());
        for (i, question) in asked.iter().enumerate() {
            assert!(!asked[..i].contains(question), "{question:?} came twice");
        }
        for pair in asked.windows(2) {
            assert!(pair[0].tokens != pair[1].tokens && pair[0].ttft_ms != pair[1].ttft_ms);
        }
    }

    #[test]
    fn no_slip_passes_for_right_and_no_right_answer_for_a_slip() {
        for question in round() {
            let (n, ttft, tpot) = (f64::from(question.tokens), seconds(question.ttft_ms), seconds(question.tpot_ms));
            let e2e = ttft + tpot * (n - 1.0);
            for right in [e2e, (e2e * 10.0).round() / 10.0, e2e * 1.019, e2e * 0.981, ttft + tpot * n] {
                assert!(question.judge(Some(right)).is_right(), "{question:?}: {right}");
            }
            for (slip, answer) in [
                (Slip::NoTtft, tpot * n),
                (Slip::NoTtft, tpot * (n - 1.0)),
                (Slip::Units, e2e * 1000.0),
                (Slip::Units, ttft * 1000.0 + tpot * (n - 1.0)),
                (Slip::Units, ttft + tpot * 1000.0 * (n - 1.0)),
                (Slip::TtftEach, (ttft + tpot) * n),
                (Slip::OneGap, ttft + tpot),
            ] {
                assert_eq!(question.judge(Some(answer)), Verdict::Slip(slip), "{question:?}: {answer}");
            }
        }
    }

    #[test]
    fn n_in_place_of_n_minus_one_is_remarked_only_where_it_shows() {
        let question = Question { tokens: 120, ttft_ms: 600, tpot_ms: 50 };
        assert_eq!((question.e2e_ms(), question.with_n_ms()), (6550, 6600));
        assert_eq!(question.judge(Some(6.55)), Verdict::Right);
        assert_eq!(question.judge(Some(6.6)), Verdict::Right, "6.55 rounded");
        let question = Question { tokens: 150, ttft_ms: 900, tpot_ms: 40 };
        assert_eq!((question.e2e_ms(), question.with_n_ms()), (6860, 6900));
        assert_eq!(question.judge(Some(6.9)), Verdict::Right, "6.86 rounded");
        let question = Question { tokens: 150, ttft_ms: 900, tpot_ms: 45 };
        assert_eq!(question.judge(Some(7.65)), Verdict::RightWithN, "n - 1 gives 7.605");
    }

    #[test]
    fn a_question_counts_once() {
        let mut quiz = Quiz::default();
        assert_eq!(quiz.answer(None), Verdict::NoNumber);
        assert_eq!((quiz.tried, quiz.right), (0, 0));
        quiz.answer(Some(1.0));
        quiz.answer(Some(9.4));
        quiz.answer(Some(9.4));
        assert_eq!((quiz.tried, quiz.right), (1, 1));
        quiz.another();
        assert_eq!(quiz.verdict, None);
        quiz.answer(Some(0.001));
        assert_eq!((quiz.tried, quiz.right), (2, 1));
    }

    #[test]
    fn milliseconds_read_as_seconds() {
        assert_eq!([9370, 400, 30, 6000, 7605, 0].map(in_seconds), ["9.37", "0.4", "0.03", "6", "7.605", "0"]);
    }
}

use sqlx::query_as;

use super::row::row;
use super::{Store, StoreError, Value, Write, on};

row! {
    /// An attempt at a puzzle.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct AttemptRow {
        pub(crate) person: String,
        /// The client's id.
        pub(crate) id: String,
        pub(crate) puzzle: String,
        pub(crate) game: String,
        /// The day whose puzzle it is; empty for any other puzzle.
        pub(crate) day: String,
        /// 1 if it was solved at once and without help.
        pub(crate) clean: i64,
        pub(crate) seconds: i64,
        /// The solver's rating before and after.
        pub(crate) before: f64,
        pub(crate) after: f64,
        pub(crate) at: i64,
    }
}

row! {
    /// A rating of a solver or of a puzzle (Glicko-2).
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct PuzzleRatingRow {
        pub(crate) rating: f64,
        pub(crate) deviation: f64,
        pub(crate) volatility: f64,
        pub(crate) attempts: i64,
    }
}

row! {
    /// A line of a leaderboard of puzzles.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct SolverRow {
        pub(crate) person: String,
        pub(crate) name: String,
        /// Seconds for a puzzle of the day, puzzles for a storm.
        pub(crate) score: i64,
    }
}

impl Store {
    /// The attempt that a client made under this id.
    pub(crate) async fn puzzle_attempt(&self, person: &str, id: &str) -> Result<Option<AttemptRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT person, id, puzzle, game, day, clean, seconds, before, after, at FROM puzzle_attempts \
                       WHERE person = $1 AND id = $2";
            Ok(query_as(sql).bind(person).bind(id).fetch_optional(pool).await?)
        })
    }

    /// Whether a person has tried a puzzle.
    pub(crate) async fn has_tried_puzzle(&self, person: &str, puzzle: &str) -> Result<bool, StoreError> {
        on!(self, pool => {
            let sql = "SELECT 1 FROM puzzle_attempts WHERE person = $1 AND puzzle = $2 LIMIT 1";
            Ok(sqlx::query(sql).bind(person).bind(puzzle).fetch_optional(pool).await?.is_some())
        })
    }

    /// The puzzles of a game that a person tried last, the latest `most` of them.
    pub(crate) async fn tried_puzzles(
        &self,
        person: &str,
        game: &str,
        most: i64,
    ) -> Result<Vec<(String,)>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT puzzle FROM puzzle_attempts WHERE person = $1 AND game = $2 ORDER BY at DESC LIMIT $3";
            Ok(query_as(sql).bind(person).bind(game).bind(most).fetch_all(pool).await?)
        })
    }

    /// A person's rating as a solver of a game's puzzles.
    pub(crate) async fn solver_rating(&self, person: &str, game: &str) -> Result<Option<PuzzleRatingRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT rating, deviation, volatility, attempts FROM puzzle_solvers WHERE person = $1 AND game = $2";
            Ok(query_as(sql).bind(person).bind(game).fetch_optional(pool).await?)
        })
    }

    /// A person's ratings as a solver, by game, each after how many attempts.
    pub(crate) async fn solver_ratings(&self, person: &str) -> Result<Vec<(String, f64, i64)>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT game, rating, attempts FROM puzzle_solvers WHERE person = $1";
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        })
    }

    /// A person's best storms, by game.
    pub(crate) async fn storms_of(&self, person: &str) -> Result<Vec<(String, i64)>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT game, solved FROM puzzle_storms WHERE person = $1";
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        })
    }

    /// The latest `most` days whose puzzle a person solved at once and without help.
    pub(crate) async fn solved_days(&self, person: &str, most: i64) -> Result<Vec<(String,)>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT DISTINCT day FROM puzzle_attempts WHERE person = $1 AND clean = 1 AND day <> '' \
                       ORDER BY day DESC LIMIT $2";
            Ok(query_as(sql).bind(person).bind(most).fetch_all(pool).await?)
        })
    }

    /// A puzzle's rating, once people have tried it.
    pub(crate) async fn puzzle_rating(&self, puzzle: &str) -> Result<Option<PuzzleRatingRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT rating, deviation, volatility, attempts FROM puzzle_ratings WHERE puzzle = $1";
            Ok(query_as(sql).bind(puzzle).fetch_optional(pool).await?)
        })
    }

    /// Keeps an attempt with the ratings of the solver and of the puzzle after it, if they change; a conflict if the attempt is
    /// known already, or if another attempt has changed a rating since it was read.
    pub(crate) async fn keep_attempt(
        &self,
        attempt: AttemptRow,
        ratings: Option<(PuzzleRatingRow, PuzzleRatingRow)>,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO puzzle_attempts (person, id, puzzle, game, day, clean, seconds, before, after, at) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING";
        let AttemptRow { person, id, puzzle, game, day, clean, seconds, before, after, at } = attempt;
        let values: [Value; 10] = [
            person.as_str().into(),
            id.into(),
            puzzle.as_str().into(),
            game.as_str().into(),
            day.into(),
            clean.into(),
            seconds.into(),
            before.into(),
            after.into(),
            at.into(),
        ];
        let mut write = Write::only_if(sql, values);
        if let Some((solver, rated)) = ratings {
            let of_solver = "INSERT INTO puzzle_solvers (person, game, rating, deviation, volatility, attempts) \
                             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person, game) DO UPDATE SET \
                             rating = excluded.rating, deviation = excluded.deviation, \
                             volatility = excluded.volatility, attempts = excluded.attempts \
                             WHERE puzzle_solvers.attempts = excluded.attempts - 1";
            write = write.also_one(
                of_solver,
                [
                    person.into(),
                    game.into(),
                    solver.rating.into(),
                    solver.deviation.into(),
                    solver.volatility.into(),
                    solver.attempts.into(),
                ],
            );
            let of_puzzle = "INSERT INTO puzzle_ratings (puzzle, rating, deviation, volatility, attempts) \
                             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (puzzle) DO UPDATE SET \
                             rating = excluded.rating, deviation = excluded.deviation, \
                             volatility = excluded.volatility, attempts = excluded.attempts \
                             WHERE puzzle_ratings.attempts = excluded.attempts - 1";
            write = write.also_one(
                of_puzzle,
                [
                    puzzle.into(),
                    rated.rating.into(),
                    rated.deviation.into(),
                    rated.volatility.into(),
                    rated.attempts.into(),
                ],
            );
        }
        self.write(write).await
    }

    /// The accounts that solved a day's puzzle at once and without help, the fastest first.
    pub(crate) async fn day_solvers(&self, day: &str, game: &str, most: i64) -> Result<Vec<SolverRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT puzzle_attempts.person, people.name, min(puzzle_attempts.seconds) AS score \
                       FROM puzzle_attempts JOIN people ON people.id = puzzle_attempts.person \
                       WHERE puzzle_attempts.day = $1 AND puzzle_attempts.game = $2 AND puzzle_attempts.clean = 1 \
                       AND people.kind = 'account' GROUP BY puzzle_attempts.person, people.name \
                       ORDER BY score, people.name LIMIT $3";
            Ok(query_as(sql).bind(day).bind(game).bind(most).fetch_all(pool).await?)
        })
    }

    /// The best storms of a game.
    pub(crate) async fn best_storms(&self, game: &str, most: i64) -> Result<Vec<SolverRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT puzzle_storms.person, people.name, puzzle_storms.solved AS score FROM puzzle_storms \
                       JOIN people ON people.id = puzzle_storms.person WHERE puzzle_storms.game = $1 \
                       AND people.kind = 'account' ORDER BY score DESC, puzzle_storms.at LIMIT $2";
            Ok(query_as(sql).bind(game).bind(most).fetch_all(pool).await?)
        })
    }

    /// Keeps a storm if it is the person's best in the game.
    pub(crate) async fn keep_storm(&self, person: &str, game: &str, solved: i64, at: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO puzzle_storms (person, game, solved, at) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (person, game) DO UPDATE SET solved = excluded.solved, at = excluded.at \
                   WHERE puzzle_storms.solved < excluded.solved";
        self.write(Write::default().also(sql, [person.into(), game.into(), solved.into(), at.into()])).await
    }
}

//! Large boards under a finger: two fingers spread the board, a touch enlarges it before it plays.

use e2e::{Page, Problem, visit};
use serde_json::json;

type Done = Result<(), Problem>;

/// Puts down fingers, moves them in steps and lifts them: the places of each finger at the beginning and at the end.
async fn fingers(page: &Page, from: &[(f64, f64)], to: &[(f64, f64)]) -> Done {
    const STEPS: u32 = 6;
    let touch = async |kind: &str, points: Vec<(f64, f64)>| {
        let points: Vec<_> =
            points.into_iter().enumerate().map(|(id, (x, y))| json!({ "x": x, "y": y, "id": id })).collect();
        page.devtools("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points })).await
    };
    touch("touchStart", from.to_vec()).await?;
    for step in 1..=STEPS {
        let part = f64::from(step) / f64::from(STEPS);
        let between = |a: f64, b: f64| a + (b - a) * part;
        let points = from.iter().zip(to).map(|(a, b)| (between(a.0, b.0), between(a.1, b.1))).collect();
        touch("touchMove", points).await?;
    }
    touch("touchEnd", Vec::new()).await
}

/// The middle of an element, as the page shows it now.
async fn middle(page: &Page, selector: &str) -> Result<(f64, f64), Problem> {
    let script = format!(
        "const {{ left, top, width, height }} = document.querySelector({selector:?}).getBoundingClientRect(); \
         return [left + width / 2, top + height / 2];"
    );
    let found = page.script(&script).await?;
    let number = |index: usize| found[index].as_f64().ok_or_else(|| Problem::from(format!("{selector}: {found}")));
    Ok((number(0)?, number(1)?))
}

const SQUARE: &str = "document.querySelector('.table .frame .cell').getBoundingClientRect().width";

#[tokio::test]
#[ignore = "needs a browser"]
async fn two_fingers_spread_a_large_board_and_a_touch_enlarges_it_first() {
    visit("zoom", async |page: &mut Page| {
        page.resize(390, 844, true).await?;
        page.begin("four(size=19)", "person,person").await?;
        page.holds(&format!("{SQUARE} < 24")).await?;
        let (x, y) = middle(page, ".table .frame").await?;
        let (near, far) = ([(x - 40.0, y), (x + 40.0, y)], [(x - 110.0, y), (x + 110.0, y)]);
        // Apart: larger, and pushed along with one finger; the page itself does not scroll.
        fingers(page, &near, &far).await?;
        page.holds(&format!("{SQUARE} > 40 && document.querySelector('.frame.zoomed')")).await?;
        let scrolled = "document.querySelector('.table .frame').scrollLeft";
        let before = page.script(&format!("return {scrolled};")).await?.as_f64().unwrap_or_default();
        fingers(page, &[(x, y)], &[(x - 80.0, y)]).await?;
        page.holds(&format!("{scrolled} > {} && scrollX === 0 && scrollY === 0", before + 20.0)).await?;
        assert!(page.game().await?.log().is_empty(), "fingers that move play nothing");
        // Together: the whole board again.
        fingers(page, &far, &near).await?;
        page.holds(&format!("{SQUARE} < 24 && !document.querySelector('.frame.zoomed')")).await?;

        // A touch on a small square enlarges the board around it, and the next one plays.
        let spot = "main [data-spot='j10']";
        let here = middle(page, spot).await?;
        fingers(page, &[here], &[here]).await?;
        page.holds(&format!("{SQUARE} >= 43")).await?;
        assert!(page.game().await?.log().is_empty(), "the first touch only enlarges");
        let here = middle(page, spot).await?;
        fingers(page, &[here], &[here]).await?;
        let game = page.game_with(1).await?;
        assert_eq!(game.record().to_string().matches("j10").count(), 1, "{}", game.record());
        // The button shows the whole board.
        page.click(".stage > .frame + .button, .stage > .frame + button").await?;
        page.holds(&format!("{SQUARE} < 24")).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn the_usual_rules_on_a_phone_have_a_board_for_fingers() {
    visit("fitting", async |page: &mut Page| {
        page.resize(390, 844, true).await?;
        page.go("/four").await?;
        let usual = ".presets .button:first-child";
        page.shows(&format!("{usual}[aria-pressed=true]")).await?;
        // Another choice, and back again.
        page.click(".presets .button:last-child").await?;
        page.shows(&format!("{usual}[aria-pressed=false]")).await?;
        page.click(usual).await?;
        page.shows(&format!("{usual}[aria-pressed=true]")).await?;
        page.click("main.setup .button.main").await?;
        page.holds("document.querySelectorAll('main.table .board .cell').length === 81").await
    })
    .await;
}

use super::*;

const RECIPE: &str = r#"
    name = "example"
    network = "inputs = piece768 trunk = accumulate 8 clipped heads = value"
    data = { train = ["a.kbz"], filter = { no_check = true, max_score = 3000 } }
    training = { positions = 1000 }
"#;

#[test]
fn what_is_wrong_is_told_in_a_line() {
    let error = Recipe::parse(&RECIPE.replace("accumulate 8", "acumulate 8")).unwrap_err().to_string();
    assert!(error.starts_with("the recipe cannot be read: line 3: ") && error.contains("acumulate"), "{error}");
    let error = Recipe::parse(&RECIPE.replace("positions = 1000", "positions = -1")).unwrap_err().to_string();
    assert!(error.contains("line 5: ") && !error.contains('\n'), "{error}");
}

/// A word that nobody knows would silently change what is learned, wherever it stands.
#[test]
fn misspelt_keys_are_refused() {
    let recipe = Recipe::parse(RECIPE).unwrap();
    assert!(recipe.data.filter.no_check);
    for key in ["name", "train", "filter", "no_check", "max_score", "positions"] {
        let wrong = format!("{key}s");
        let error = Recipe::parse(&RECIPE.replace(&format!("{key} ="), &format!("{wrong} ="))).unwrap_err();
        assert!(error.to_string().contains(&format!("unknown field `{wrong}`")), "{error}");
    }
}
/// Whoever reads the message should find the number in the recipe.
#[test]
fn a_number_that_makes_no_sense_is_called_by_its_own_key() {
    for (key, value) in [
        ("training.epoch", "0"),
        ("training.batch", "0"),
        ("training.round_from", "2"),
        ("loss.result_start", "-0.1"),
        ("loss.result_end", "2"),
        ("loss.score_scale", "nan"),
        ("loss.power", "0.5"),
        ("optimiser.rate", "0"),
        ("optimiser.epsilon", "-1"),
        ("optimiser.final_share", "1.5"),
        ("optimiser.warm_up", "nan"),
        ("optimiser.beta1", "1"),
        ("optimiser.beta2", "-0.5"),
        ("optimiser.decay", "-1"),
    ] {
        let (section, name) = key.split_once('.').unwrap();
        let text = match section {
            "training" => RECIPE.replace("positions = 1000", &format!("positions = 1000, {name} = {value}")),
            _ => format!("{RECIPE}\n[{section}]\n{name} = {value}"),
        };
        let error = Recipe::parse(&text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("the recipe's {key}: ")), "{error}");
    }
}

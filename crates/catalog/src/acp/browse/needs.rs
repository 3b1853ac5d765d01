//! What a skill says that it needs of the machine.

/// Something that a skill needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// What it is called.
    pub name: &'static str,
    /// The programs of which one is enough; none of what cannot be looked for.
    pub programs: &'static [&'static str],
    /// The words that mean it.
    words: &'static [&'static str],
}

const NEEDS: [Need; 10] = [
    Need { name: "git", programs: &["git"], words: &["git"] },
    Need { name: "python3", programs: &["python3", "python"], words: &["python", "python3"] },
    Need { name: "node", programs: &["node"], words: &["node", "node.js", "nodejs", "npm", "npx"] },
    Need { name: "uv", programs: &["uv"], words: &["uv", "uvx"] },
    Need { name: "docker", programs: &["docker", "podman"], words: &["docker", "podman"] },
    Need { name: "jq", programs: &["jq"], words: &["jq"] },
    Need { name: "curl", programs: &["curl"], words: &["curl"] },
    Need { name: "gh", programs: &["gh"], words: &["gh"] },
    Need { name: "ffmpeg", programs: &["ffmpeg"], words: &["ffmpeg"] },
    Need { name: "network", programs: &[], words: &["network", "internet", "online"] },
];

/// Returns what a `compatibility` names, each once.
pub fn needs_of(compatibility: &str) -> Vec<Need> {
    let is_part = |c: char| c.is_alphanumeric() || c == '.';
    let words: Vec<String> = compatibility
        .split(|c| !is_part(c))
        .map(|word| {
            let word = word.trim_matches('.').to_lowercase();
            // `python3.11` is a version of it.
            if word.starts_with("python3") { "python3".to_owned() } else { word }
        })
        .collect();
    let is_named = |need: &&Need| words.iter().any(|word| need.words.contains(&word.as_str()));
    NEEDS.iter().filter(is_named).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_found_as_whole_words() {
        let names = |text| needs_of(text).iter().map(|need| need.name).collect::<Vec<_>>();
        assert_eq!(
            names("Requires Git, Python3.11+ (or uv) and access to the Internet."),
            ["git", "python3", "uv", "network"]
        );
        assert_eq!(names("Node.js 20"), ["node"]);
        assert_eq!(names("For GitHub digital nodes"), [""; 0]);
    }
}

//! The corpora: which of their sentences are talk, which are orders, and which are neither.

use std::path::Path;

use luna_nlu::talk::features::canonical;
use serde_json::Value;

use super::Failure;
use super::samples::{Part, Sample};

pub fn text(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned())
}

/// Orders of at most so many bytes (four syllables) are fixed words such as "네" and "again", which can only be known, not inferred: all are trained on.
pub const CLOSED: usize = 12;

fn sample(text: &str, is_order: bool, weight: f32, source: &'static str) -> Sample {
    let text = text.trim().to_owned();
    let key = canonical(&text);
    let part = if is_order && key.len() <= CLOSED { Part::Train } else { Part::of(&key) };
    Sample { text, is_order, weight, source, part }
}

/// The labelled utterances of the test suite: all classes but `ordinary` are orders.
pub fn utterances(path: &Path) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for line in text(path)?.lines() {
        let value: Value = serde_json::from_str(line)?;
        let utterance = without_wake_word(value["utterance"].as_str().unwrap_or_default());
        samples.push(sample(&utterance, value["class"] != "ordinary", 2.0, "utterances"));
    }
    Ok(samples)
}

/// Sets of utterances that people wrote who saw only the requirements, and that are no measure any more: what does nothing and is not forbidden is talk.
const SEEN_SETS: std::ops::RangeInclusive<u32> = 1..=5;

pub fn first_sight(folder: &Path) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for set in SEEN_SETS {
        for line in text(&folder.join(format!("first-sight-{set}.jsonl")))?.lines() {
            let value: Value = serde_json::from_str(line)?;
            let utterance = without_wake_word(value["utterance"].as_str().unwrap_or_default());
            // What is forbidden or taken back is said like an order.
            let is_order = value["expect"]["kind"] != "none" || value["class"] != "talk";
            samples.push(sample(&utterance, is_order, 2.0, "first sight"));
        }
    }
    Ok(samples)
}

/// Orders and talk that were written for the training: label, tab, sentence.
pub fn written(path: &Path) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for line in text(path)?.lines().filter(|line| !line.starts_with('#')) {
        let Some((label, text)) = line.split_once('\t') else { continue };
        let is_order = label == "order";
        samples.push(sample(text, is_order, 2.0, if is_order { "written order" } else { "written talk" }));
    }
    Ok(samples)
}

/// The classifier never sees the wake word.
fn without_wake_word(utterance: &str) -> String {
    let lower = utterance.to_lowercase();
    let words = ["루나야", "루나님", "루나", "hey luna", "ok luna", "okay luna", "luna"];
    let found = words.iter().find(|word| lower.starts_with(**word)).map_or(0, |word| word.len());
    utterance.get(found..).unwrap_or(utterance).trim_start_matches([',', ' ', '!', '.']).to_owned()
}

/// 3i4K. Statements, questions and rhetorical ones are talk, but for what Luna answers or could be ordered in these words; rhetorical commands ("잘 자") and sentences
/// that only intonation decides are talk as well. Of its commands, those about mail are orders, those without anything of a computer are talk to people.
pub fn korean_speech_acts(path: &Path) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for line in text(path)?.lines() {
        let Some((label, text)) = line.split_once('\t') else { continue };
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let made = match label {
            "1" | "2" | "4" if is_like_an_order(text) => None,
            "1" => Some((false, 1.0, "3i4k statement")),
            "2" => Some((false, 1.0, "3i4k question")),
            "4" => Some((false, 1.0, "3i4k rhetorical")),
            "5" => Some((false, 1.0, "3i4k wish")),
            "6" if !is_like_an_order(text) => Some((false, 0.5, "3i4k by intonation")),
            "3" if has(&["메일", "메세지", "메시지"]) && has(MAIL_ORDERS) => Some((true, 0.5, "3i4k mail")),
            "3" if !has(COMPUTER) => Some((false, 0.5, "3i4k command to people")),
            _ => None,
        };
        if let Some((is_order, weight, source)) = made {
            samples.push(sample(text, is_order, weight, source));
        }
    }
    Ok(samples)
}

/// What orders about mail do that Luna can do.
const MAIL_ORDERS: &[&str] =
    &["열어", "읽어", "삭제", "지워", "검색", "찾아", "닫아", "저장", "복사", "보내", "전송", "선택"];

/// Words of commands to a machine; without them a command is said to people.
const COMPUTER: &[&str] = &[
    "메일",
    "일정",
    "알람",
    "알림",
    "메시지",
    "메세지",
    "문자",
    "검색",
    "저장",
    "열어",
    "열",
    "닫",
    "켜",
    "꺼",
    "끄",
    "틀어",
    "볼륨",
    "소리",
    "읽어",
    "눌러",
    "누르",
    "선택",
    "삭제",
    "지워",
    "보여",
    "찾아",
    "알려",
    "화면",
    "창",
    "전화",
    "사진",
    "파일",
    "취소",
    "기다",
    "멈",
    "그만",
    "다시",
    "천천히",
    "빨리",
    "계속",
    "다음",
    "이전",
    "음악",
    "노래",
    "영화",
    "채널",
    "불",
    "등",
    "온도",
    "에어컨",
    "청정기",
    "세탁기",
    "냉장고",
    "모드",
    "설정",
    "예약",
    "추가",
    "등록",
    "표시",
    "확인",
    "조회",
    "번역",
    "써",
    "적어",
    "입력",
    "보내",
    "인터넷",
    "컴퓨터",
    "카톡",
    "앱",
    "티비",
    "라디오",
    "조용",
    "말해",
    "크게",
    "작게",
    "올려",
    "내려",
    "줄여",
    "높여",
    "낮춰",
    "바꿔",
    "변경",
    "복사",
    "휴지통",
    "음소거",
    "세탁",
    "취사",
    "중단",
    "시작",
    "재생",
    "정지",
    "작동",
    "가동",
    "자동",
    "실행",
    "예열",
    "청소",
    "네비",
    "길안내",
];

/// Questions that Luna answers (DSL-6: time, date, battery, where, help), and questions in the words of an order to read.
fn is_like_an_order(text: &str) -> bool {
    let solid: String = text.split_whitespace().collect();
    let short = solid.chars().count() <= 14;
    let now = ["지금", "오늘", "현재"].iter().any(|word| solid.contains(word)) || solid.chars().count() <= 8;
    let of_now =
        ["몇시", "며칠", "몇월", "무슨요일", "날짜", "요일"].iter().any(|word| solid.contains(word)) && now && short;
    let where_am_i =
        ["여기어디", "여기가어디", "지금어디야", "나어디"].iter().any(|word| solid.contains(word)) && short;
    let battery = solid.contains("배터리") && ["얼마", "몇", "남"].iter().any(|word| solid.contains(word));
    let read = ["읽어줘", "읽어줄래", "읽어주겠니", "읽어주세요", "읽어줄수", "눌러줘", "번역해줘"]
        .iter()
        .any(|word| solid.ends_with(word));
    let help =
        ["뭐할수있", "뭘할수있", "도와줘", "뭐라고했", "뭐라고"].iter().any(|word| solid.contains(word)) && short;
    of_now || where_am_i || battery || read || help
}

/// Intents of CLINC150 that Luna has: no talk.
const OWN_INTENTS: &[&str] = &[
    "translate",
    "repeat",
    "time",
    "date",
    "change_volume",
    "cancel",
    "yes",
    "no",
    "change_language",
    "change_speed",
    "current_location",
    "spelling",
    "what_can_i_ask_you",
    "whisper_mode",
    "next_song",
    "change_accent",
    "reset_settings",
    "sync_device",
    "maybe",
    "change_ai_name",
    "timezone",
];
/// Of these, those whose sentences are orders to Luna.
const ORDER_INTENTS: &[&str] = &["repeat", "change_volume", "cancel", "yes", "no", "change_speed"];

/// CLINC150: requests to an assistant that is no desktop's.
pub fn english_requests(path: &Path) -> Result<Vec<Sample>, Failure> {
    let pairs: Vec<(String, String)> = serde_json::from_str(&text(path)?)?;
    let made = pairs.iter().filter_map(|(text, intent)| {
        let intent = intent.as_str();
        if ORDER_INTENTS.contains(&intent) {
            Some(sample(text, true, 0.5, "clinc orders"))
        } else {
            (!OWN_INTENTS.contains(&intent)).then(|| sample(text, false, 1.0, "clinc talk"))
        }
    });
    Ok(made.collect())
}

/// Lines of chat. Code in answers to programming questions is nothing that anyone says.
pub fn plain_talk(path: &Path, source: &'static str) -> Result<Vec<Sample>, Failure> {
    let text = text(path)?;
    Ok(text.lines().filter(|line| !line.contains("```")).map(|line| sample(line, false, 1.0, source)).collect())
}

/// SNIPS: orders to services that Luna isn't.
pub fn english_services(folder: &Path) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for intent in [
        "AddToPlaylist",
        "BookRestaurant",
        "GetWeather",
        "PlayMusic",
        "RateBook",
        "SearchCreativeWork",
        "SearchScreeningEvent",
    ] {
        let value: Value = serde_json::from_str(&text(&folder.join(intent).join(format!("train_{intent}.json")))?)?;
        for entry in value[intent].as_array().into_iter().flatten() {
            let parts = entry["data"].as_array().into_iter().flatten();
            let text: String = parts.filter_map(|part| part["text"].as_str()).collect();
            samples.push(sample(&text, false, 0.5, "snips"));
        }
    }
    Ok(samples)
}

/// BFCL and IN3: what people ask agents and models for, none of it on a screen; and the questions that are asked back.
pub fn english_tasks(data: &Path) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for name in ["simple_python", "multiple", "parallel", "parallel_multiple", "irrelevance"] {
        for line in text(&data.join(format!("9-tool-calls/bfcl-v4/BFCL_v4_{name}.json")))?.lines() {
            let value: Value = serde_json::from_str(line)?;
            let question = value["question"][0][0]["content"].as_str().unwrap_or_default();
            samples.extend(sentences(question, 1.0, "bfcl"));
        }
    }
    for line in text(&data.join("11-clarification/in3/train.jsonl"))?.lines() {
        let value: Value = serde_json::from_str(line)?;
        samples.extend(sentences(value["task"].as_str().unwrap_or_default(), 1.0, "in3 task"));
        for detail in value["missing_details"].as_array().into_iter().flatten() {
            samples.extend(sentences(detail["inquiry"].as_str().unwrap_or_default(), 0.3, "in3 question"));
        }
    }
    Ok(samples)
}

/// The text if it is short enough to be said and asks for nothing that Luna does.
fn sentences(text: &str, weight: f32, source: &'static str) -> Option<Sample> {
    let lower = text.to_lowercase();
    let own = ["translat", "summar", "read ", "volume", "screen", "window", "file", "email", "document", "browser"];
    let fits = text.chars().count() <= 160 && !own.iter().any(|word| lower.contains(word));
    fits.then(|| sample(text, false, weight, source))
}

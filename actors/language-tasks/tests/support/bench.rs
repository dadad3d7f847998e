//! The actor in a tree with a scripted provider in place of the Llm actor, on one thread under a paused clock.

#![allow(dead_code, reason = "not every user of this file needs all of it")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_language_tasks::{LanguageTaskDependencies, LanguageTaskSettings, LanguageTasksActor};
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::{BlockingService, Inbox, InboxSettings, RestartPolicy, SupervisionTree};
use luna_llm_tasks::prompt::{PartCaps, Situation};
use luna_llm_tasks::reasoning::Budgets;
use luna_llm_tasks::translation::Escalation;
use luna_messages::engine::{FinishReason, GenerateJob, GenerationUsage, Prompt, TextPart};
use luna_messages::language_tasks::LanguageTaskMessage;
use luna_messages::llm::{GeneratedText, LlmMessage, LlmTask};
use luna_messages::preserve::TokenClass;
use luna_messages::work::WorkFailure;
use luna_messages::{Lang, NoReply};
use luna_test_support::one_thread::OneThread;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Time limit of any wait; under a paused clock it costs nothing.
pub const SOON: Duration = Duration::from_secs(600);

/// A request that the provider received.
#[derive(Debug, Clone)]
pub struct SeenRequest {
    pub task: LlmTask,
    pub job: GenerateJob,
    /// Number of requests before it.
    pub number: usize,
}

impl SeenRequest {
    pub fn prompt(&self) -> String {
        match &self.job.prompt {
            Prompt::Chat { messages } => {
                messages.iter().map(|message| message.text.clone()).collect::<Vec<_>>().join("\n")
            }
            Prompt::Text { text } => text.clone(),
        }
    }

    /// The text between the fence marks.
    pub fn fenced(&self) -> String {
        let prompt = self.prompt();
        let mut lines = prompt.lines().skip_while(|line| !line.starts_with("===="));
        lines.next();
        lines.take_while(|line| !line.starts_with("====")).collect::<Vec<_>>().join("\n")
    }
}

/// An answer of the script.
#[derive(Debug, Clone)]
pub enum Says {
    /// This text, after this time.
    Text(String, Duration),
    /// This text, truncated by its budget.
    Cut(String),
    Fails(WorkFailure),
    /// A first piece, then nothing until the reader is gone.
    Hangs(String),
}

pub fn says(text: &str) -> Says {
    Says::Text(text.to_owned(), Duration::from_millis(50))
}

type Script = Arc<dyn Fn(&SeenRequest) -> Says + Send + Sync>;

/// A double of the Llm actor that answers by a script. It counts one token a word.
struct ScriptedProvider {
    script: Script,
    log: Arc<Mutex<Log>>,
}

/// What the provider received.
#[derive(Debug, Default)]
pub struct Log {
    pub seen: Vec<SeenRequest>,
    pub counted: Vec<Vec<String>>,
    /// Number of generations that lost their reader.
    pub abandoned: usize,
    pub fails_to_count: Option<WorkFailure>,
}

#[async_trait]
impl Actor for ScriptedProvider {
    type Message = LlmMessage;
    const NAME: &'static str = "llm";

    async fn handle(&mut self, message: LlmMessage, context: &ActorContext<LlmMessage>) -> Result<(), ActorError> {
        match message {
            LlmMessage::CountTokens(request) => {
                let mut log = self.log.lock().unwrap();
                log.counted.push(request.texts.clone());
                let counts = request.texts.iter().map(|text| text.split_whitespace().count() as u32).collect();
                request.reply.answer(log.fails_to_count.clone().map_or(Ok(counts), Err));
            }
            LlmMessage::Generate(request) => {
                let seen = {
                    let mut log = self.log.lock().unwrap();
                    let seen = SeenRequest { task: request.task, job: (*request.job).clone(), number: log.seen.len() };
                    log.seen.push(seen.clone());
                    seen
                };
                let (answer, log) = ((self.script)(&seen), self.log.clone());
                let work = async move {
                    let usage = |stop| GenerationUsage {
                        prompt_tokens: 10,
                        reused_tokens: 0,
                        thinking_tokens: seen.job.max_thinking_tokens.min(3),
                        answer_tokens: 5,
                        thinking_cut: false,
                        stop,
                        first_token_us: 1,
                    };
                    let send = |part, text: String| request.pieces.send(GeneratedText { part, text });
                    let _ = send(TextPart::Thinking, "a thought that nobody may see".to_owned()).await;
                    match answer {
                        Says::Text(text, after) => {
                            tokio::time::sleep(after).await;
                            for piece in text.split_inclusive(' ') {
                                let _ = send(TextPart::Answer, piece.to_owned()).await;
                            }
                            request.reply.answer(Ok(usage(FinishReason::End)));
                        }
                        Says::Cut(text) => {
                            let _ = send(TextPart::Answer, text).await;
                            request.reply.answer(Ok(usage(FinishReason::AnswerLimit)));
                        }
                        Says::Fails(why) => request.reply.answer(Err(why)),
                        Says::Hangs(text) => {
                            let _ = send(TextPart::Answer, text).await;
                            request.pieces.closed().await;
                            log.lock().unwrap().abandoned += 1;
                        }
                    }
                };
                context.spawn(work).detach();
            }
            LlmMessage::Cancel { .. } | LlmMessage::Order(_) | LlmMessage::Tick => {}
        }
        Ok(())
    }
}

/// The running tree, which stops on drop.
pub struct LanguageTasksBench {
    pub language_tasks: Inbox<LanguageTaskMessage>,
    pub log: Arc<Mutex<Log>>,
    pub tree: SupervisionTree,
    pub settings: Arc<Mutex<LanguageTaskSettings>>,
    /// Whether there is a larger model.
    pub larger: Arc<Mutex<bool>>,
    _thread: OneThread,
}

impl LanguageTasksBench {
    pub fn new(script: impl Fn(&SeenRequest) -> Says + Send + Sync + 'static) -> Self {
        let script: Script = Arc::new(script);
        let log: Arc<Mutex<Log>> = Arc::default();
        let conditions = ["preserve_failed>=1", "negations>=2", "policy_keywords>=1"].map(str::to_owned);
        let settings = Arc::new(Mutex::new(LanguageTaskSettings {
            lang: Lang::En,
            caps: PartCaps::default(),
            budgets: Budgets::default(),
            barge_in_shrink: 0.5,
            timeout_soft: Duration::from_millis(600),
            dangerous: vec!["삭제".to_owned(), "delete".to_owned()],
            top: 5,
            glossary: Vec::new(),
            classes: vec![
                TokenClass::Number,
                TokenClass::Date,
                TokenClass::Percent,
                TokenClass::Unit,
                TokenClass::Url,
                TokenClass::Email,
            ],
            escalation: Escalation::new(&conditions, &[]),
            summary_sentences: 3,
        }));
        let larger = Arc::new(Mutex::new(false));
        let (llm, language_tasks) =
            (Inbox::new("llm", InboxSettings::default()), Inbox::new("mind", InboxSettings::default()));
        let (told, is_there) = (settings.clone(), larger.clone());
        let dependencies = LanguageTaskDependencies {
            llm: llm.clone(),
            has_model: BlockingService::new(
                "models",
                Duration::from_secs(20),
                Arc::new(move |task| task != LlmTask::TranslateLarge || *is_there.lock().unwrap()),
            ),
            situation: BlockingService::new("situation", Duration::from_secs(20), Arc::new(|_| situation())),
            settings: Arc::new(move || told.lock().unwrap().clone()),
        };
        let tree = SupervisionTree::new(Arc::new(|_| {}));
        let provider = log.clone();
        tree.add(RestartPolicy::default(), llm, move || ScriptedProvider {
            script: script.clone(),
            log: provider.clone(),
        });
        tree.add(RestartPolicy::default(), language_tasks.clone(), move || {
            LanguageTasksActor::new(dependencies.clone())
        });
        Self { language_tasks, log, tree, settings, larger, _thread: OneThread::here() }
    }

    pub fn seen(&self) -> Vec<SeenRequest> {
        self.log.lock().unwrap().seen.clone()
    }
}

/// Awaits the answer of a reply.
pub async fn answer<T>(receiver: oneshot::Receiver<Result<Result<T, WorkFailure>, NoReply>>) -> Result<T, WorkFailure> {
    timeout(SOON, receiver)
        .await
        .expect("a caller gets no answer")
        .expect("the reply was dropped")
        .expect("the request was lost")
}

/// What every request tells of the device.
fn situation() -> Situation {
    Situation {
        device_state: vec!["active window: \"Letter\"".to_owned()],
        digest: vec!["wanted last: invoke".to_owned(), "about: \"Save\"".to_owned()],
        text: String::new(),
    }
}

#!/usr/bin/env python3
"""When pipecat would interrupt its bot: pipecat_onset.py FILE.wav…

Each file (mono, 16 bits, 16 kHz) goes in frames of 20 ms through pipecat's own voice activity (VADController with SileroVADAnalyzer, parameters as
they come) and its turn controller (UserTurnController with the start strategies as they come, of which a transcript is never given). Transports and the
queues of a pipeline are left out, so a delay is what the sound itself takes. Prints one line of JSON per file: milliseconds of sound that were given
when voices began ("starts"), and when the first turn began with an interruption ("interruption", or null).
"""

import asyncio
import json
import sys
import wave

from loguru import logger

logger.remove()

from pipecat.audio.vad.silero import SileroVADAnalyzer  # noqa: E402
from pipecat.audio.vad.vad_controller import VADController  # noqa: E402
from pipecat.clocks.system_clock import SystemClock  # noqa: E402
from pipecat.frames.frames import InputAudioRawFrame, VADUserStartedSpeakingFrame, VADUserStoppedSpeakingFrame  # noqa: E402
from pipecat.processors.frame_processor import FrameProcessorSetup  # noqa: E402
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy  # noqa: E402
from pipecat.turns.user_turn_controller import UserTurnController  # noqa: E402
from pipecat.turns.user_turn_strategies import UserTurnStrategies  # noqa: E402
from pipecat.utils.asyncio.task_manager import TaskManager  # noqa: E402

FRAME_MS = 20


async def onsets(path):
    with wave.open(path, "rb") as file:
        rate, sound = file.getframerate(), file.readframes(file.getnframes())
    analyzer = SileroVADAnalyzer()
    # No timers of the wall clock: sound is given faster than it would sound.
    voice = VADController(analyzer, audio_idle_timeout=0)
    # How a turn ends does not matter for its start; the strategy as it comes would need a second model.
    turns = UserTurnController(
        user_turn_strategies=UserTurnStrategies(stop=[SpeechTimeoutUserTurnStopStrategy()]), user_turn_stop_timeout=3600.0
    )
    setup = FrameProcessorSetup(
        clock=SystemClock(), task_manager=TaskManager(), pipeline_worker=None, audio_in_sample_rate=rate
    )
    now, starts, interruptions = 0, [], []

    @voice.event_handler("on_speech_started")
    async def on_speech_started(_):
        starts.append(now)
        await turns.process_frame(VADUserStartedSpeakingFrame(start_secs=analyzer.params.start_secs))

    @voice.event_handler("on_speech_stopped")
    async def on_speech_stopped(_):
        await turns.process_frame(VADUserStoppedSpeakingFrame(stop_secs=analyzer.params.stop_secs))

    @turns.event_handler("on_user_turn_started")
    async def on_user_turn_started(_, strategy, parameters):
        if parameters.enable_interruptions:
            interruptions.append(now)

    await voice.setup(setup)
    await turns.setup(setup)
    step = rate * FRAME_MS // 1000 * 2
    for at in range(0, len(sound), step):
        now = (at + step) // 2 * 1000 / rate
        await voice.process_frame(InputAudioRawFrame(audio=sound[at : at + step], sample_rate=rate, num_channels=1))
    await voice.cleanup()
    await turns.cleanup()
    return {"starts": starts, "interruption": interruptions[0] if interruptions else None}


async def main():
    for path in sys.argv[1:]:
        print(json.dumps(await onsets(path)), flush=True)


asyncio.run(main())

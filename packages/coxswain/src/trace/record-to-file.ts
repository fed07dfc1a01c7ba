import type { Clock, Timer } from '@coxswain/apimachinery';
import { isDevice, mustBeWritable, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import type { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';

/** The least time between two saves: what the end of a killed process loses. */
const saveMs = 10_000;
/** Saving takes at most this part of the time, however long the recording is. */
const saveParts = 10;

/**
 * Records until the file is written at the end. Meanwhile it is saved from time to time, for a process that is killed;
 * a pipe or a terminal gets only the whole recording.
 * @throws Error at once if the file can't be written
 */
export function recordToFile(recordings: RecordingSwitch, file: string, clock: Clock): { write(): void } {
  mustBeWritable(file);
  const recording = recordings.record();
  const save = () => writePrivateFile(file, `${JSON.stringify(recording.soFar())}\n`);
  let timer: Timer | undefined;
  const saveIn = (delayMs: number): void => {
    timer = clock.after(delayMs, saveNow, { idle: true });
  };
  const saveNow = (): void => {
    const startMs = clock.monotonic();
    try {
      save();
    } catch {
      // A full disk may have space again; the last save reports its failure.
    }
    saveIn(Math.max(saveMs, saveParts * (clock.monotonic() - startMs)));
  };
  if (!isDevice(file)) saveIn(saveMs);
  return {
    write() {
      timer?.cancel();
      save();
      recording.stop();
    },
  };
}

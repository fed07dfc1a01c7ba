import { mustBeWritable, writePrivateFile } from '@coxswain/storage/directory/private-files.ts';
import type { RecordingSwitch } from '@coxswain/trace/recording-switch.ts';

/** Records until the file is written. @throws Error at once if the file can't be written */
export function recordToFile(recordings: RecordingSwitch, file: string): { write(): void } {
  mustBeWritable(file);
  const recording = recordings.record();
  return {
    write() {
      writePrivateFile(file, `${JSON.stringify(recording.soFar())}\n`);
      recording.stop();
    },
  };
}

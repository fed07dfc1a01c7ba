import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { messageBytesMax, messageFromLog } from '@coxswain/kubelet/pod/termination-message.ts';
import type { SimulatedContainer } from './simulated-container.ts';
import { logLines } from './simulated-log.ts';

/** What an ended container left in its message file, or else, if it failed and its policy says so, in its log. */
export function terminationMessage(container: SimulatedContainer, pod: Pod, exitCode: number): string {
  const { terminationMessagePath = '', terminationMessagePolicy } = container.spec;
  const file = container.files?.entry(terminationMessagePath);
  const written = file?.kind === 'file' ? new TextDecoder().decode(file.bytes.slice(-messageBytesMax)) : '';
  if (written !== '' || terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0)
    return written;
  return messageFromLog(logLines(container, pod, container.endedMs!).map(({ text }) => `${text}\n`));
}

/** Attaches to the main process of a container, for `attach` and `run`. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../context.ts';
import { chooseSessionContainer, type Pod } from '../logs/containers.ts';
import { withLocalStreams } from './local-streams.ts';
import { streamCommand } from './remote-command.ts';

export interface AttachChoice {
  readonly container: string;
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly quiet: boolean;
  readonly detachKeys: string;
}

interface ContainerSettings {
  readonly name: string;
  readonly tty?: boolean;
}

/** @throws like streamCommand */
export async function attachTo(context: CommandContext, pod: Pod, choice: AttachChoice): Promise<void> {
  const report = (text: string) => (choice.quiet ? undefined : context.printError(text));
  const name = containerOf(pod, choice.container, report);
  const spec = [
    ...(pod.spec?.initContainers ?? []),
    ...(pod.spec?.containers ?? []),
    ...(pod.spec?.ephemeralContainers ?? []),
  ].find((one) => one.name === name) as ContainerSettings | undefined;
  if (choice.tty && !spec?.tty)
    report(`error: Unable to use a TTY - container ${name} did not allocate one\n`);
  const tty = spec?.tty ?? false;
  const ended = await withLocalStreams(context, { ...choice, tty }, async (streams) => {
    if (!choice.quiet) {
      context.printError(
        'All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\n',
      );
      context.printError("If you don't see a command prompt, try pressing enter.\n");
    }
    try {
      await streamCommand(context, {
        ...streams,
        operation: 'attach',
        namespace: pod.metadata.namespace ?? '',
        pod: pod.metadata.name ?? '',
        container: name,
        signal: streams.detached,
      });
    } catch (failure) {
      if (!streams.detached.aborted && context.signal?.aborted !== true) throw failure;
    }
    return { raw: streams.terminal !== undefined };
  });
  if (choice.quiet || !choice.stdin || !ended.raw) return;
  const { name: podName, namespace } = pod.metadata;
  const again = `kubectl attach ${podName} -c ${name} -n ${namespace} -i -t`;
  const isEphemeral = pod.spec?.ephemeralContainers?.some((one) => one.name === name) ?? false;
  context.print(
    isEphemeral
      ? `Session ended, the ephemeral container will not be restarted but may be reattached using '${again}' if it is still running\n`
      : `Session ended, resume using '${again}' command\n`,
  );
}

function containerOf(pod: Pod, wanted: string, report: (text: string) => void): string {
  try {
    return chooseSessionContainer(pod, wanted, report);
  } catch (failure) {
    throw new Error(`cannot attach to the container: ${messageOf(failure)}`, { cause: failure });
  }
}

/** The extenders of a configuration. The HTTP code is loaded when one is first called. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { runStep, type Clock, type StepObserver } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ExtenderConfiguration } from '../config/configuration.ts';
import type { Extender } from '../framework/extender.ts';
import { httpExtender, type ExtenderConnection } from './http-extender.ts';

export const configuredExtenders = (
  configurations: readonly ExtenderConfiguration[],
  clock: Clock,
  observer?: StepObserver,
): readonly Extender[] =>
  configurations.map((configuration) =>
    httpExtender(configuration, lazyConnection(configuration, clock, observer)),
  );

function lazyConnection(
  configuration: ExtenderConfiguration,
  clock: Clock,
  observer: StepObserver | undefined,
): ExtenderConnection {
  let opened: Promise<ExtenderConnection> | undefined;
  const connection = () =>
    (opened ??= inWallTime(() => import('./extender-connection.ts')).then(({ extenderConnection }) =>
      extenderConnection(configuration, clock),
    ));
  return {
    post(verb, body) {
      const post = async (): Promise<unknown> => {
        const answer = await (await connection()).post(verb, body);
        observer?.note?.({ answer });
        return answer;
      };
      return runStep(observer, `extender/${verb}`, post, { server: configuration.urlPrefix }, httpExtender);
    },
    close: async () => (await opened)?.close(),
  };
}

/** @throws Error with upstream's message if files of one of them are invalid */
export async function checkExtenders(configurations: readonly ExtenderConfiguration[]): Promise<void> {
  const configured = configurations.flatMap(({ tlsConfig }) => (tlsConfig ? [tlsConfig] : []));
  if (configured.length === 0) return;
  const { checkExtenderTls } = await import('./extender-connection.ts');
  try {
    configured.forEach(checkExtenderTls);
  } catch (failure) {
    throw new Error(`couldn't build extenders: ${messageOf(failure)}`, { cause: failure });
  }
}

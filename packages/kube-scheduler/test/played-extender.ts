/** An extender controlled by a test: an HTTP server in this process. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

type Answer = (args: never) => unknown;

export interface PlayedExtender {
  readonly urlPrefix: string;
  /** The received requests: verb and arguments. */
  readonly asked: { readonly verb: string; readonly args: unknown }[];
  /** Its responses by verb; `undefined` returns 500, and a promise is awaited. */
  answers: Readonly<Record<string, Answer>>;
  close(): Promise<void>;
}

export async function playedExtender(answers: PlayedExtender['answers'] = {}): Promise<PlayedExtender> {
  const server = createServer((request, response) => {
    json(request)
      .then((args) => {
        const verb = (request.url ?? '').split('/').at(-1)!;
        extender.asked.push({ verb, args });
        return extender.answers[verb]?.(args as never);
      })
      .then(
        (answer) => response.writeHead(answer === undefined ? 500 : 200).end(JSON.stringify(answer)),
        (failure: unknown) => response.writeHead(500).end(messageOf(failure)),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const extender: PlayedExtender = {
    urlPrefix: `http://127.0.0.1:${(server.address() as AddressInfo).port}/scheduler/`,
    asked: [],
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return extender;
}

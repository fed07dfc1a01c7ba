/** Two servers that are asked the same; what they answer is compared without what differs from run to run. */
import type { Transport } from '@coxswain/client/transport.ts';
import { viewAnswers } from '../../packages/kube-apiserver/test/oracle/answer-view.ts';
import type { AnswerView } from '../../packages/kube-apiserver/test/oracle/case.ts';
import { differencesOf } from '../../packages/kube-apiserver/test/oracle/differences.ts';
import type { Difference } from '../../packages/kube-apiserver/test/oracle/differences.ts';

export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** `application/json` when absent. */
  readonly type?: string;
}

export interface Compared {
  readonly original: AnswerView;
  readonly ours: AnswerView;
  readonly differences: readonly Difference[];
}

export class Pair {
  readonly #original: Transport;
  readonly #ours: Transport;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(original: Transport, ours: Transport, token: string) {
    this.#original = original;
    this.#ours = ours;
    this.#headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'differ',
    };
  }

  async ask(question: Question, namespace: string): Promise<Compared> {
    const [original, ours] = await Promise.all(
      [this.#original, this.#ours].map((transport) => this.#answerOf(transport, question, namespace)),
    );
    return {
      original: original!,
      ours: ours!,
      differences: differencesOf(inOrder(original!), inOrder(ours!)),
    };
  }

  async #answerOf(transport: Transport, { method, path, body, type }: Question, namespace: string) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await transport.send({
      method,
      path,
      headers: {
        ...this.#headers,
        ...(text !== undefined && { 'content-type': type ?? 'application/json' }),
      },
      ...(text !== undefined && { body: Buffer.from(text) }),
    });
    const answer = Buffer.from(await response.bytes()).toString();
    const [view] = viewAnswers(
      [
        {
          step: { name: '', ignore: ['metadata.managedFields'] },
          status: response.status,
          headers: joined(response.headers),
          body: parsed(answer),
        },
      ],
      { ns: namespace, id: noCase, source: text ?? '' },
    );
    return view!;
  }
}

/** Recorded cases have an id in their names; here nothing may be taken for one. */
const noCase = '\0';

/** HTTP/2 clients join what came in several lines. */
const joined = (headers: Readonly<Record<string, string | readonly string[]>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * The original walks maps in an order that is never the same; of several errors only the set counts. The
 * message repeats them and is compared where it tells one error.
 */
function inOrder(view: AnswerView): AnswerView {
  const body = view.body as { details?: { causes?: object[] }; message?: string } | undefined;
  const causes = body?.details?.causes;
  if (causes === undefined || causes.length < 2) return view;
  const sorted = causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    ...view,
    body: { ...body, message: undefined, details: { ...body!.details, causes: sorted } },
  };
}

/** Two servers that are asked the same; what they answer is compared without what differs from run to run. */
import type { Transport } from '@coxswain/client/transport.ts';
import { viewAnswers } from '../../packages/kube-apiserver/test/oracle/answer-view.ts';
import type { AnswerView } from '../../packages/kube-apiserver/test/oracle/case.ts';
import { differencesOf, type Difference } from '../../packages/kube-apiserver/test/oracle/differences.ts';

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

  readonly #order: 'free' | 'exact';

  /** @param order whether the order of several causes counts, unless the original changes it itself */
  constructor(
    original: Transport,
    ours: Transport,
    token: string,
    { accept = 'application/json', order = 'free' }: { accept?: string; order?: 'free' | 'exact' } = {},
  ) {
    this.#original = original;
    this.#ours = ours;
    this.#order = order;
    this.#headers = {
      authorization: `Bearer ${token}`,
      accept,
      'accept-encoding': 'identity',
      'user-agent': 'differ',
    };
  }

  async ask(question: Question, namespace: string): Promise<Compared> {
    const [original, ours] = await Promise.all(
      [this.#original, this.#ours].map((transport) => this.#answerOf(transport, question, namespace)),
    );
    const differences = differencesOf(inOrder(original!), inOrder(ours!));
    if (differences.length === 0 && this.#order === 'exact')
      return {
        original: original!,
        ours: ours!,
        differences: await this.#disorder(question, namespace, original!, ours!),
      };
    return { original: original!, ours: ours!, differences };
  }

  /** What differs in an order that the original keeps: it is asked again before that counts. */
  async #disorder(
    question: Question,
    namespace: string,
    original: AnswerView,
    ours: AnswerView,
  ): Promise<readonly Difference[]> {
    const differences = differencesOf(original, ours);
    for (let again = 0; differences.length > 0 && again < 6; again++) {
      const other = await this.#answerOf(this.#original, question, namespace);
      if (differencesOf(original, other).length > 0) return [];
    }
    return differences;
  }

  /** The versions of what was really created, which are another on each server, by server and name. */
  readonly #versions = new Map<Transport, Map<string, string>>();

  async #answerOf(transport: Transport, { method, path, body, type }: Question, namespace: string) {
    const versions = this.#versions.getOrInsertComputed(transport, () => new Map<string, string>());
    const text =
      body === undefined ? undefined : JSON.stringify(method === 'PUT' ? atVersion(body, versions) : body);
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
    if (method === 'POST' && !path.includes('dryRun')) {
      const { name, resourceVersion } = (parsed(answer) as Named).metadata ?? {};
      if (name !== undefined && resourceVersion !== undefined) versions.set(name, resourceVersion);
    }
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

interface Named {
  readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
}

/** Kinds without unconditional updates would refuse everything for the lack of a version. */
function atVersion(body: unknown, versions: ReadonlyMap<string, string>): unknown {
  const { metadata } = body as Named;
  const version = versions.get(metadata?.name ?? '');
  if (version === undefined || metadata === undefined || 'resourceVersion' in metadata) return body;
  return { ...(body as object), metadata: { ...metadata, resourceVersion: version } };
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
export function inOrder(view: AnswerView): AnswerView {
  const body = view.body as { details?: { causes?: object[] }; message?: string } | undefined;
  const causes = body?.details?.causes;
  if (causes === undefined || causes.length < 2) return view;
  const sorted = causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return {
    ...view,
    body: { ...body, message: undefined, details: { ...body!.details, causes: sorted } },
  };
}

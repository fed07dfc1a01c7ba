/**
 * Short summaries of a function's arguments and result. They are made at the time of the call, since objects change
 * later. Nothing of a Secret is recorded: its values are learned when one passes.
 */

const hidden = '***';
const textMax = 80;
/** Longer text that begins like JSON is a body: its beginning is of no use to a reader, and it may hold anything. */
const bodyLength = 200;
const itemsMax = 4;
const membersMax = 5;
/** Redacting shorter values would hide half of the recording. */
const secretLengthMin = 4;
const secretsMax = 1000;

const secretName =
  /secret|token|password|passphrase|credential|authorization|cookie|private_?key|api_?key|stringdata/i;
/** Undertakings that may handle Secrets from the start. */
const secretUndertaking = /secret|token|password|kubeconfig|certificatesigning|--from-literal|--from-file/i;
const secretText =
  /^(?:Bearer|Basic) |-----BEGIN|^[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}$|^[A-Za-z0-9+/]{8,}={1,2}$|"kind": ?"Secret"|kind: Secret/;

type Members = Readonly<Record<string, unknown>>;

export class Summaries {
  readonly #secrets = new Set<string>();

  /** @param undertaking the undertaking's name, which indicates whether it concerns Secrets */
  named(name: string, value: unknown, undertaking: string): unknown {
    if (secretName.test(name) && typeof value === 'string') return hidden;
    return this.#of(value, undertaking, 0);
  }

  #of(value: unknown, undertaking: string, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value, undertaking);
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function') return `${value.name || 'function'}()`;
    if (typeof value !== 'object' || value === null) return value;
    if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
    if (Array.isArray(value)) return this.#list(value, undertaking, depth);
    if (value instanceof Map || value instanceof Set) return `${value.constructor.name}(${value.size})`;
    if (value instanceof Error) return `${value.name}: ${this.#text(value.message, undertaking)}`;
    return this.#object(value as Members, undertaking, depth);
  }

  #text(text: string, undertaking: string): string {
    if (secretText.test(text) || this.#isKnown(text)) return hidden;
    if (secretUndertaking.test(undertaking) && !undertaking.includes(text)) return `text of ${text.length}`;
    if (text.length > bodyLength && /^\s*[{[]/.test(text)) return `text of ${text.length}`;
    return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
  }

  #list(list: readonly unknown[], undertaking: string, depth: number): unknown {
    if (list.length === 0) return '[]';
    if (depth > 0 || list.length > itemsMax) return `[${list.length}]`;
    return list.map((item) => this.#of(item, undertaking, depth + 1));
  }

  #object(object: Members, undertaking: string, depth: number): unknown {
    const kind = memberOf(object, 'kind');
    const metadata = memberOf(object, 'metadata');
    if (typeof metadata === 'object' && metadata !== null) {
      this.#learn(object);
      return identityOf(kind, metadata as Members);
    }
    const type = Object.getPrototypeOf(object)?.constructor?.name as unknown;
    if (typeof type === 'string' && type !== 'Object') return type;
    if (depth > 0) return '{…}';
    const names = Object.keys(object);
    const reported = names
      .slice(0, membersMax)
      .map((name): [string, unknown] => [name, this.#member(object, name, undertaking)]);
    if (names.length > membersMax) reported.push(['…', names.length - membersMax]);
    return Object.fromEntries(reported);
  }

  #member(object: Members, name: string, undertaking: string): unknown {
    const value = memberOf(object, name);
    return secretName.test(name) && value !== undefined ? hidden : this.#of(value, undertaking, 1);
  }

  #learn(object: Members): void {
    if (memberOf(object, 'kind') !== 'Secret' && memberOf(object, 'stringData') === undefined) return;
    for (const map of [memberOf(object, 'data'), memberOf(object, 'stringData')]) {
      if (typeof map !== 'object' || map === null) continue;
      for (const value of Object.values(map)) if (typeof value === 'string') this.#keep(value);
    }
  }

  #keep(value: string): void {
    for (const text of [value, decoded(value)]) {
      if (text === undefined || text.length < secretLengthMin || this.#secrets.size >= secretsMax) continue;
      this.#secrets.add(text);
    }
  }

  #isKnown(text: string): boolean {
    for (const secret of this.#secrets) if (text.includes(secret)) return true;
    return false;
  }
}

function identityOf(kind: unknown, metadata: Members): string {
  const [namespace, name, version] = ['namespace', 'name', 'resourceVersion'].map((member) =>
    memberOf(metadata, member),
  );
  const path = [namespace, name].filter((part) => typeof part === 'string').join('/');
  const reported = [typeof kind === 'string' ? kind : 'object', path, version ? `(${String(version)})` : ''];
  return reported.filter((part) => part !== '').join(' ');
}

/** Reads a member without calling a getter. */
const memberOf = (object: Members, name: string): unknown =>
  Object.getOwnPropertyDescriptor(object, name)?.value as unknown;

function decoded(base64: string): string | undefined {
  try {
    return atob(base64);
  } catch {
    return undefined;
  }
}

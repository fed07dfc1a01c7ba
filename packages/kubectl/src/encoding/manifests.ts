/** Reads manifests like Kubernetes' stream decoder: consecutive JSON objects, or YAML documents. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';

/**
 * Yields the documents of a manifest. Text that starts with a brace is read as JSON, possibly with several consecutive
 * objects.
 * @throws Error like upstream's stream decoder
 */
export function* readManifests(text: string): Generator<unknown> {
  if (!/^\s*\{/.test(text)) {
    yield* yamlDocuments(text);
    return;
  }
  let rest = text;
  let count = 0;
  while (rest.trim() !== '') {
    const end = jsonEnd(rest);
    let value: unknown;
    try {
      value = JSON.parse(rest.slice(0, end));
    } catch (failure) {
      // A brace may also start YAML in flow style.
      if (count > 1) throw failure;
      yield* orJsonFailure(rest, failure as Error);
      return;
    }
    yield value;
    count++;
    rest = rest.slice(end);
    if (/^\s*---/.test(rest)) {
      yield* yamlDocuments(rest.trimStart());
      return;
    }
  }
}

function* orJsonFailure(text: string, failure: Error): Generator<unknown> {
  let documents: unknown[];
  try {
    documents = [...yamlDocuments(text)];
  } catch {
    const reason = goJsonFailure(text, failure);
    throw new Error(
      reason === 'unexpected EOF' ? reason : `json: offset ${jsonFailureOffset(text)}: ${reason}`,
    );
  }
  yield* documents;
}

const jsonFailureOffset = (text: string): number => Math.min(text.length, jsonEnd(text));

const goJsonFailure = (text: string, failure: Error): string =>
  /end of JSON|Unterminated|Expected .* after/i.test(failure.message) && jsonEnd(text) >= text.length
    ? 'unexpected EOF'
    : `invalid character in ${goQuote(text.slice(0, 20))}`;

/** Returns where the first JSON object of a text ends. */
function jsonEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      while (++at < text.length && text[at] !== '"') if (text[at] === '\\') at++;
    } else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function* yamlDocuments(text: string): Generator<unknown> {
  let lines: string[] = [];
  for (const line of [...text.split('\n'), '---']) {
    if (!line.startsWith('---')) {
      lines.push(line);
      continue;
    }
    const behind = line.slice(3).trim();
    if (behind !== '' && !behind.startsWith('#'))
      throw new Error(`invalid Yaml document separator: ${behind}`);
    const document = lines.join('\n');
    lines = [];
    if (document.trim() === '') continue;
    yield convert(document);
  }
}

function convert(document: string): unknown {
  try {
    return readYaml(document);
  } catch (failure) {
    throw new Error(`error converting YAML to JSON: ${messageOf(failure)}`, { cause: failure });
  }
}

/** Opens objects in an editor until they are saved, unchanged or abandoned. */
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import type { CommandContext } from '../context.ts';
import { toIndentedJson } from '../encoding/json.ts';
import { readManifests } from '../encoding/manifests.ts';
import { toKyaml } from '../encoding/kyaml.ts';
import { withoutManagedFields } from '../printers/managed-fields.ts';
import { itemsOf } from '../resource/manifest-info.ts';
import { editText, forget, type Edited } from './editor.ts';

export interface EditSession {
  readonly objects: readonly KubeObject[];
  /** Edits without leading comments, since no object exists yet. */
  readonly json: boolean;
  readonly kyaml?: boolean;
  readonly windowsLineEndings: boolean;
  /** `configmaps "c"`, for the error about unreadable text. */
  readonly subject: string;
  /** Saves the edited objects. A StatusError reopens the editor. */
  save(edited: readonly KubeObject[]): Promise<void>;
}

const header = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

/** The user changed the identity of an object. */
export class IdentityChanged extends Error {
  constructor() {
    super('At least one of apiVersion, kind and name was changed');
  }
}

export async function runEditSession(context: CommandContext, session: EditSession): Promise<void> {
  const first = textOf(session);
  let text = first;
  let reasons: readonly string[] = [];
  let last: string | undefined;
  for (;;) {
    const opened = session.json
      ? text
      : header + reasons.map((reason) => `# ${reason}\n`).join('') + (reasons.length > 0 ? '#\n' : '') + text;
    const edited = await editText(
      context,
      session.windowsLineEndings ? opened.replaceAll('\n', '\r\n') : opened,
      session.json ? '.json' : '.yaml',
    );
    const plain = withoutComments(edited.text);
    if (last !== undefined && plain === last)
      return giveUp(context, edited, 'Edit cancelled, no valid changes were saved.');
    if (plain === withoutComments(first)) {
      await forget(edited);
      return context.printError('Edit cancelled, no changes made.\n');
    }
    if (last === undefined && plain.trim() === '' && reasons.length > 0) {
      return context.printError('Edit cancelled, saved file was empty.\n');
    }
    try {
      await session.save(readObjects(plain));
      await forget(edited);
      return;
    } catch (failure) {
      if (failure instanceof IdentityChanged) return giveUp(context, edited, failure.message);
      const explained = explain(session, failure);
      if (explained === undefined) throw failure;
      context.printError(explained.complaint);
      reasons = explained.reasons;
      last = plain;
      text = plain;
      await forget(edited);
    }
  }
}

function giveUp(context: CommandContext, edited: Edited, message: string): never {
  context.printError(`A copy of your changes has been stored to "${edited.path}"\n`);
  throw new Error(message);
}

function explain(
  session: EditSession,
  failure: unknown,
): { complaint: string; reasons: readonly string[] } | undefined {
  if (failure instanceof SyntaxProblem) {
    return {
      complaint: `error: ${session.subject} is invalid\n`,
      reasons: [`${session.subject} was not valid:`, `* ${failure.message}`],
    };
  }
  if (!(failure instanceof StatusError)) return undefined;
  const causes = failure.status.details?.causes ?? [];
  const lines =
    causes.length > 0
      ? causes.map(({ field, message }) => `* ${field}: ${message}`)
      : [`* ${failure.message}`];
  return {
    complaint: `error: ${session.subject} is invalid\n`,
    reasons: [`${session.subject} was not valid:`, ...lines],
  };
}

class SyntaxProblem extends Error {}

function readObjects(text: string): KubeObject[] {
  try {
    const found = [...readManifests(text)] as KubeObject[];
    if (found.length === 0) throw new SyntaxProblem('the edited file is empty');
    const objects = found.flatMap((one) =>
      'items' in one ? itemsOf(one as Parameters<typeof itemsOf>[0]) : [one],
    );
    const wrong = objects.find((one) => typeof one !== 'object' || one === null || !one.kind);
    if (wrong !== undefined) throw new SyntaxProblem("Object 'Kind' is missing");
    return objects;
  } catch (failure) {
    throw failure instanceof SyntaxProblem
      ? failure
      : new SyntaxProblem(`The edited file had a syntax error: ${messageOf(failure)}`);
  }
}

function textOf({ objects, json, kyaml = false }: EditSession): string {
  const plain = objects.map(withoutManagedFields);
  const [only, ...others] = plain;
  const document =
    others.length === 0 ? only : { apiVersion: 'v1', items: plain, kind: 'List', metadata: {} };
  if (kyaml) return toKyaml(document);
  return json ? toIndentedJson(document) : writeYaml(document);
}

const withoutComments = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n');

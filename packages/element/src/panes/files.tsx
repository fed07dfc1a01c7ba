/** The files that kubectl sees, for editing and applying. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Session } from '../session.ts';
import type { Words } from '../words.ts';

interface FilesOptions {
  readonly session: Session;
  readonly words: Words;
  readonly isReadonly: boolean;
  readonly enter: (line: string) => void;
}

/** Used if the page provides no files. */
const usualName = 'manifest.yaml';

export function FilesPane({ session, words, isReadonly, enter }: FilesOptions) {
  const names = session.files.size === 0 ? [usualName] : [...session.files.keys()];
  const name = useSignal(names[0]!);
  const text = useSignal(session.files.get(name.value) ?? '');
  const id = useId();
  const choose = (next: string) => {
    name.value = next;
    text.value = session.files.get(next) ?? '';
  };
  const write = (next: string) => {
    text.value = next;
    return session.write(name.value, next);
  };
  const apply = async () => {
    await write(text.value);
    enter(`kubectl apply -f ${name.value}`);
  };
  return (
    <div class="files">
      {names.length === 1 ? (
        <label for={id}>{name}</label>
      ) : (
        <select
          aria-label={words.file}
          value={name.value}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {names.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
      <textarea
        id={id}
        aria-label={name.value}
        spellcheck={false}
        readOnly={isReadonly}
        value={text.value}
        onInput={({ currentTarget }) => detach(write(currentTarget.value))}
      />
      <p>
        <button type="button" class="main" disabled={isReadonly} onClick={() => detach(apply())}>
          {words.apply}
        </button>
      </p>
    </div>
  );
}

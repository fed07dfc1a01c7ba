/** The file `manifest.yaml`, to be changed and applied. */

import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { filesOf } from 'coxswain/browser';
import type { Session } from '../session.ts';

interface ManifestOptions {
  readonly session: Session;
  readonly manifest: string;
  readonly isReadonly: boolean;
  readonly enter: (line: string) => void;
}

const file = 'manifest.yaml';

export function ManifestPane({ session, manifest, isReadonly, enter }: ManifestOptions) {
  const text = useSignal(manifest);
  const id = useId();
  useEffect(() => {
    void filesOf(session.cluster).then((files) => {
      if (files.list().includes(file)) text.value = files.read(file);
    });
  }, [session]);
  const write = async (next: string) => {
    text.value = next;
    (await filesOf(session.cluster)).write(file, next);
  };
  const apply = async () => {
    await write(text.value);
    enter(`kubectl apply -f ${file}`);
  };
  return (
    <div class="manifest">
      <label for={id}>{file}</label>
      <textarea
        id={id}
        spellcheck={false}
        readOnly={isReadonly}
        value={text.value}
        onInput={({ currentTarget }) => void write(currentTarget.value)}
      />
      <p>
        <button type="button" class="main" onClick={() => void apply()}>
          Apply
        </button>
      </p>
    </div>
  );
}

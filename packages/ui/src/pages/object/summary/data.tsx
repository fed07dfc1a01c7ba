/** The contents of a ConfigMap or a Secret, key by key. Values of Secrets are shown on request. */

import { holdsSecrets } from '@coxswain/api/core/secret-values.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { useState } from 'preact/hooks';
import { formatBytes } from '../../../controls/amounts.ts';
import { Button } from '../../../controls/button.tsx';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages(
  { title: 'Data', show: 'Show the values', hide: 'Hide the values', none: 'It holds nothing' },
  { title: '数据', show: '显示值', hide: '隐藏值', none: '没有内容' },
);

const kindsWithData: ReadonlySet<string> = new Set(['configmaps', 'secrets']);

interface WithData extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

interface DataProps {
  readonly kind: ApiResource;
  readonly object: KubeObject;
}

export function Data({ kind, object }: DataProps) {
  const isSecret = holdsSecrets(kind);
  const [isShown, setShown] = useState(!isSecret);
  if (kind.group !== '' || !kindsWithData.has(kind.resource)) return null;
  const { data = {}, binaryData = {} } = object as WithData;
  const entries = [...Object.entries(data), ...Object.entries(binaryData)];
  return (
    <section class="panel" aria-labelledby="data-title">
      <div class="panel-head">
        <h2 id="data-title">{text().title}</h2>
        <span class="panel-note">{entries.length}</span>
        {isSecret && entries.length > 0 && (
          <Button onPress={() => setShown(!isShown)}>{isShown ? text().hide : text().show}</Button>
        )}
      </div>
      {entries.length === 0 && <p class="all-well">{text().none}</p>}
      <dl class="data">
        {entries.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              {isShown && !(key in binaryData) ? (
                <pre tabIndex={0}>{isSecret ? decoded(value) : value}</pre>
              ) : (
                <span class="panel-note">{formatBytes(bytesOf(value, isSecret || key in binaryData))}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const decoded = (base64: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));

const bytesOf = (value: string, isBase64: boolean): number =>
  isBase64 ? atob(value).length : new TextEncoder().encode(value).length;

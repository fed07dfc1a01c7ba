/** The ways of strangers: what they install and write in an empty directory, as the READMEs tell them. */

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What a walk is given: paths of what would come from a registry. */
export interface Packed {
  /** The tarball of `coxswain`. */
  readonly archive: string;
  /** `clients` of the checkout. */
  readonly clients: string;
}

export interface Walk {
  readonly name: string;
  /** A command that succeeds where the tools of the language are. */
  readonly needs: string;
  /** By their paths in the project. */
  readonly files: Readonly<Record<string, string>>;
  /** Lines of a shell, which may download. */
  readonly install: readonly string[];
  /** What compiles the dependencies, once for a project. */
  readonly compile?: string;
  readonly test: string;
  /** What the runner prints when the assertion has held. */
  readonly passed: RegExp;
}

const root = path.join(import.meta.dirname, '../../..');

/** The example of a README in a language. @throws Error for a page without one */
function example(page: string, language: string): string {
  const text = readFileSync(path.join(root, page), 'utf8');
  const [, code] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text) ?? [];
  if (code === undefined) throw new Error(`${page} has no example in ${language}`);
  return code;
}

const javascript = (matchers: string, imports: string): string => `${imports}
import 'coxswain/testing/${matchers}';
import { createCluster } from 'coxswain/testing';

test('a pod runs', async () => {
  const cluster = await createCluster();
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
  });
  await expect(cluster).toEventuallyHave('pod/web', { status: { phase: 'Running' } });
  await cluster.stop();
});
`;

const ofNodeTest = example('packages/coxswain/src/testing/README.md', 'js');

/** Those of JavaScript run the cluster in their own process, and the others start `coxswain test-server`. */
export const walks = ({ archive, clients }: Packed): readonly Walk[] => [
  {
    name: 'node:test',
    needs: 'node --version',
    files: { 'web.test.mjs': ofNodeTest },
    install: [`npm install --save-dev ${archive}`],
    test: 'node --test',
    passed: /pass 1\b/,
  },
  {
    name: 'vitest',
    needs: 'node --version',
    files: { 'web.test.ts': javascript('vitest', "import { expect, test } from 'vitest';") },
    install: [`npm install --save-dev ${archive} vitest@5.1.1`],
    test: 'npx vitest run',
    passed: /1 passed/,
  },
  {
    name: 'jest',
    needs: 'node --version',
    files: {
      'web.test.js': javascript('jest', '')
        .replaceAll(/import (.*) from (.*);/g, 'const $1 = require($2);')
        .replace(/import (.*);/, 'require($1);'),
    },
    install: [`npm install --save-dev ${archive} jest@30.5.2`],
    test: 'npx jest',
    passed: /1 passed/,
  },
  {
    name: 'bun test',
    needs: 'node --version',
    files: { 'web.test.mjs': ofNodeTest },
    install: [`npm install --save-dev ${archive} bun@1.4.5`],
    test: 'npx bun test',
    passed: /1 pass\b/,
  },
  {
    name: 'deno test',
    needs: 'node --version',
    files: { 'web.test.mjs': ofNodeTest },
    install: [`npm install --save-dev ${archive} deno@2.9.6`],
    test: 'npx deno test --allow-all --no-check',
    passed: /1 passed/,
  },
  {
    name: 'pytest',
    needs: 'python3 --version',
    files: { 'test_web.py': example('clients/python/README.md', 'python') },
    install: [
      `npm install --save-dev ${archive}`,
      'python3 -m venv .venv',
      `.venv/bin/pip install --quiet ${clients}/python`,
    ],
    test: '.venv/bin/pytest',
    passed: /1 passed/,
  },
  {
    name: 'JUnit 5',
    needs: 'mvn --version',
    files: { 'src/test/java/WebTest.java': example('clients/java/README.md', 'java'), 'pom.xml': pom() },
    install: [
      `npm install --save-dev ${archive}`,
      `mvn --batch-mode --quiet --file ${clients}/java -DskipTests install`,
      // Surefire downloads what runs JUnit when it is to run something.
      'mvn --batch-mode --quiet test -Dtest=None -Dsurefire.failIfNoSpecifiedTests=false',
    ],
    test: 'mvn --batch-mode test',
    passed: /Tests run: 1, Failures: 0, Errors: 0/,
  },
  {
    name: 'Go',
    needs: 'go version',
    files: { 'web_test.go': example('clients/go/README.md', 'go') },
    install: [
      `npm install --save-dev ${archive}`,
      'go mod init web.example',
      `go mod edit -replace coxswain.io/coxswaintest=${clients}/go`,
      'go get coxswain.io/coxswaintest',
      'go mod tidy',
    ],
    compile: 'go test -run NONE',
    test: 'go test',
    passed: /^ok\b/m,
  },
  {
    name: 'Rust',
    needs: 'cargo --version',
    files: { 'tests/web.rs': example('clients/rust/README.md', 'rust') },
    install: [
      `npm install --save-dev ${archive}`,
      'cargo init --quiet --lib --vcs none --name web',
      `cargo add --quiet --dev coxswain-test --path ${clients}/rust`,
      'cargo add --quiet --dev serde_json',
      'cargo fetch --quiet',
    ],
    compile: 'cargo test --quiet --no-run',
    test: 'cargo test',
    passed: /test a_deployment_becomes_available \.\.\. ok/,
  },
  {
    name: 'Ruby',
    needs: 'ruby --version',
    files: { 'web_test.rb': example('clients/README.md', 'ruby') },
    install: [`npm install --save-dev ${archive}`],
    test: 'ruby web_test.rb',
    passed: /1 runs, 1 assertions, 0 failures, 0 errors/,
  },
];

/** With the dependency that the README names. */
function pom(): string {
  const page = 'clients/java/README.md';
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>web</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
${example(page, 'xml')}
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.11.4</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version></plugin>
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
    </plugins>
  </build>
</project>
`;
}

// Every statement of the store as it is written in the source, with the type of its rows. The texts are put together by reading: constants, templates, both
// sides of a condition, functions that return a text. What only a running program can put together is named, so that a test can have it run instead.
import { relative, resolve } from 'node:path';
import {
  type CallExpression,
  type Expression,
  type Node,
  type ObjectLiteralExpression,
  SyntaxKind,
} from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isAsExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Project, SymbolFlags, type Type } from 'typescript/unstable/sync';

/** What JavaScript gets: `unknown` fits anything. */
export type RowKind = 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'array' | 'unknown';

export interface Statement {
  /** `store/runs/runs.ts:40`. */
  at: string;
  text: string;
  /** Columns that its rows are said to have; null: nobody looks at its rows. */
  row: Map<string, RowKind> | null;
}

export interface Collected {
  statements: Statement[];
  /** `file: expression`, cut, of what could not be read. */
  unread: string[];
}

class Unreadable extends Error {}

const SHOWN_CHARS = 40;
const ROOT = resolve(import.meta.dirname, '../../..');

export function collectStatements(files: readonly string[]): Collected {
  const api = new API({ cwd: ROOT });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [resolve(ROOT, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    return collect(project!, files);
  } finally {
    api.close();
  }
}

function collect(project: Project, files: readonly string[]): Collected {
  const { checker, program } = project;
  const found: Collected = { statements: [], unread: [] };
  const nameOf = (node: Node): string => relative(resolve(ROOT, 'src'), node.getSourceFile().fileName);
  const textOf = (node: Node): string => node.getText().replace(/\s+/g, ' ');

  /** Values of parameters, while the function they belong to is read. */
  type Given = ReadonlyMap<Node, readonly string[]>;

  function unreadable(node: Node): never {
    throw new Unreadable(`${nameOf(node)}: ${textOf(node).slice(0, SHOWN_CHARS)}`);
  }

  function declarationOf(node: Node): Node | undefined {
    let symbol = checker.getSymbolAtLocation(node);
    if (symbol && symbol.flags & SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    return symbol?.valueDeclaration?.resolve(project);
  }

  function read(node: Expression, given: Given): readonly string[] {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [node.text];
    if (isParenthesizedExpression(node) || isAsExpression(node) || isSatisfiesExpression(node))
      return read(node.expression, given);
    if (isConditionalExpression(node)) return [...read(node.whenTrue, given), ...read(node.whenFalse, given)];
    if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.PlusToken)
      return joined(read(node.left, given), read(node.right, given));
    if (isTemplateExpression(node)) {
      let texts: readonly string[] = [node.head.text];
      for (const { expression, literal } of node.templateSpans)
        texts = joined(joined(texts, read(expression, given)), [literal.text]);
      return texts;
    }
    if (isCallExpression(node)) return readCall(node, given);
    if (isIdentifier(node) || isPropertyAccessExpression(node)) return readName(node, given);
    return unreadable(node);
  }

  function readName(node: Expression, given: Given): readonly string[] {
    const declared = declarationOf(node);
    if (declared && isParameterDeclaration(declared)) return given.get(declared) ?? unreadable(node);
    if (declared && (isVariableDeclaration(declared) || isPropertyAssignment(declared)) && declared.initializer) {
      const { initializer } = declared;
      if (initializer.kind === SyntaxKind.NumericLiteral) return [initializer.getText().replaceAll('_', '')];
      return read(initializer, given);
    }
    return unreadable(node);
  }

  function readCall(node: CallExpression, given: Given): readonly string[] {
    const replaced = readReplacement(node, given);
    if (replaced) return replaced;
    const called = bodyOf(node, given);
    return called ? read(called.body, called.given) : unreadable(node);
  }

  /** `TEXT.replaceAll('A', 'b')`. */
  function readReplacement({ expression, arguments: args }: CallExpression, given: Given): readonly string[] | null {
    if (!isPropertyAccessExpression(expression) || expression.name.text !== 'replaceAll') return null;
    const [from, to] = args.map((arg) => read(arg, given)[0]!);
    return read(expression.expression, given).map((text) => text.replaceAll(from!, to!));
  }

  /** What a function of ours returns, where that is all it does. */
  function bodyOf(node: CallExpression, given: Given): { body: Expression; given: Given } | null {
    let declared = declarationOf(node.expression);
    if (declared && isVariableDeclaration(declared)) declared = declared.initializer;
    if (!declared || !(isFunctionDeclaration(declared) || isArrowFunction(declared)) || !declared.body) return null;
    let body: Node | undefined = declared.body;
    if (isBlock(body)) {
      const [only, ...others] = body.statements;
      body = only && others.length === 0 && isReturnStatement(only) ? only.expression : undefined;
    }
    if (!body) return null;
    const inner = new Map<Node, readonly string[]>();
    declared.parameters.forEach((parameter, place) => {
      const arg = node.arguments[place];
      if (!arg || !isIdentifier(parameter.name)) return;
      try {
        inner.set(parameter, read(arg, given));
      } catch (error) {
        // Only a parameter that is part of the text has to be known.
        if (!(error instanceof Unreadable)) throw error;
      }
    });
    return { body: body as Expression, given: inner };
  }

  /** The text of what `query` was given: a text, or an object that has one. */
  function readStatement(node: Expression, given: Given): readonly string[] {
    if (isObjectLiteralExpression(node)) return readTextOf(node, given);
    const called = isCallExpression(node) ? bodyOf(node, given) : null;
    if (called) {
      const body = isParenthesizedExpression(called.body) ? called.body.expression : called.body;
      return isObjectLiteralExpression(body) ? readTextOf(body, called.given) : read(body, called.given);
    }
    return read(node, given);
  }

  function readTextOf(node: ObjectLiteralExpression, given: Given): readonly string[] {
    for (const property of node.properties) {
      if (isPropertyAssignment(property) && property.name.getText() === 'text')
        return read(property.initializer, given);
    }
    return unreadable(node);
  }

  function visit(node: Node): void {
    const call = queryOf(node);
    if (call) {
      const at = `${nameOf(node)}:${node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      try {
        const row = call.rows ? rowOf(checker, call.rows) : null;
        for (const text of new Set(readStatement(call.statement, new Map()))) found.statements.push({ at, text, row });
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        found.unread.push(error.message);
      }
    }
    node.forEachChild(visit);
  }

  for (const file of files) visit(program.getSourceFile(file)!);
  return found;
}

const joined = (heads: readonly string[], tails: readonly string[]): string[] =>
  heads.flatMap((head) => tails.map((tail) => head + tail));

/** `pool.query(text)`, `client.query<Row>({ text })`, `query<Row>(pool, text)`, `queryUnless(pool, codes, { text })`. */
function queryOf(node: Node): { statement: Expression; rows: Node | undefined } | null {
  if (!isCallExpression(node)) return null;
  const { expression, arguments: args } = node;
  const rows = node.typeArguments?.[0];
  if (isPropertyAccessExpression(expression) && expression.name.text === 'query' && args[0])
    return { statement: args[0], rows };
  if (isIdentifier(expression) && expression.text === 'query') return { statement: args[1]!, rows };
  if (isIdentifier(expression) && expression.text === 'queryUnless') return { statement: args[2]!, rows };
  return null;
}

function rowOf(checker: Checker, node: Node): Map<string, RowKind> | null {
  const type = checker.getTypeAtLocation(node);
  if (!type) return null;
  const row = new Map<string, RowKind>();
  for (const property of checker.getPropertiesOfType(type)) {
    if (property.flags & SymbolFlags.Optional) continue;
    row.set(property.name, kindOf(checker, checker.getTypeOfSymbol(property)!));
  }
  return row;
}

function kindOf(checker: Checker, declared: Type): RowKind {
  const type = checker.getNonNullableType(declared) ?? declared;
  const is = (other: Type): boolean => checker.isTypeAssignableTo(type, other);
  if (checker.typeToString(type) === 'any' || is(checker.getNeverType())) return 'unknown';
  if (is(checker.getStringType())) return 'string';
  if (is(checker.getNumberType())) return 'number';
  if (is(checker.getBooleanType())) return 'boolean';
  if (checker.isArrayLikeType(type)) return 'array';
  const name = checker.typeToString(type);
  if (name.startsWith('Buffer')) return 'bytes';
  return name === 'Date' ? 'date' : 'unknown';
}

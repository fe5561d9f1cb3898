import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely'

/**
 * Marks a query of a background job, a backup or the owner's administration that concerns the rows of all accounts.
 * Every other query on personal data names the account; a test rejects it otherwise. Use it with `modifyEnd`, or inside
 * a raw query.
 */
export const ALL_ACCOUNTS = sql`/* all accounts */`

const isRowStatement = (node: Extract<RootOperationNode, { kind: 'RawNode' }>): boolean =>
  /^\s*(?:select|insert|update|delete|with)\b/i.test(node.sqlFragments[0] ?? '')

/** Marks every query of a migration. It changes the rows of all accounts, and released ones cannot be edited. */
export const markRawQueries: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind === 'SelectQueryNode' || node.kind === 'UpdateQueryNode' || node.kind === 'DeleteQueryNode')
      return {
        ...node,
        endModifiers: [...(node.endModifiers ?? []), ALL_ACCOUNTS.toOperationNode()],
      } as RootOperationNode
    if (node.kind !== 'RawNode' || !isRowStatement(node)) return node
    const last = node.sqlFragments.length - 1
    const sqlFragments = node.sqlFragments.map((text, index) =>
      index === last ? `${text} /* all accounts */` : text,
    )
    return { ...node, sqlFragments }
  },
  transformResult: async ({ result }) => result,
}

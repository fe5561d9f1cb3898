import type { DataPart } from '../settings/data/parts.ts'

/** The endpoints in what is done with all data at once. Their secrets are in no export. */
export const webhooksPart: DataPart = {
  async addToExport(zip, view, userId) {
    const rows = await view
      .selectFrom('webhooks')
      .select(['id', 'name', 'url', 'events', 'enabled', 'createdAt', 'updatedAt'])
      .where('userId', '=', userId)
      .orderBy('createdAt')
      .execute()
    const webhooks = rows.map((row) => ({
      ...row,
      events: JSON.parse(row.events) as string[],
      enabled: row.enabled === 1,
    }))
    zip.addBuffer(Buffer.from(`${JSON.stringify(webhooks, null, 2)}\n`), 'webhooks.json')
  },
  async wipe(tx) {
    // What hangs on an endpoint goes with it.
    await tx.deleteFrom('webhooks').execute()
  },
  // A sample that sends something somewhere would be none.
  async fillSample() {},
  async removeSample() {},
}

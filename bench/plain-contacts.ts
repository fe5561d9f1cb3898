/* The contacts baseline. Its requests are in comparisons.ts. */
import { Contact } from '../src/features/contacts/contact.ts'
import { ContactCollection, Suggestions } from '../src/features/contacts/schema.ts'
import { LIMIT, openPlainServer, type PlainRow, parseColumns, toPage } from './plain-server.ts'

const { app, database, userId, listen } = openPlainServer()

/** The addresses of a contact, as JSON, in the order of the service. */
const ADDRESSES = `(select json_group_array(json_object('address', address, 'label', label, 'sent', sent,
    'received', received, 'lastUsedAt', "lastUsedAt") order by place, id)
  from contact_addresses where "contactId" = contacts.id and "userId" = ${userId})`
const columns = Object.keys(Contact.properties)
  .map((name) => (name === 'addresses' ? `${ADDRESSES} as addresses` : `"${name}"`))
  .join()
const select = `select ${columns}, "sortKey" from contacts where "userId" = ${userId}`
const list = database.prepare(`${select} order by "sortKey", id limit ${LIMIT}`)
const inRange = `where "userId" = ${userId} and term >= ? and term < ?`
const found = database.prepare(
  `${select} and id in (select "contactId" from contact_terms ${inRange}) order by "sortKey", id limit ${LIMIT}`,
)
const one = database.prepare(`${select} and id = ?`)
const suggest = database.prepare(
  `select contacts.id as "contactId", contacts.name, contacts.organization, address
   from contact_addresses join contacts on contacts.id = "contactId"
   where contact_addresses."userId" = ${userId}
     and contact_addresses.id in (select "addressId" from contact_terms ${inRange})
   order by score desc, contact_addresses.id desc limit 8`,
)

interface Search {
  Querystring: { q?: string }
}
const toResponse = (row: PlainRow) =>
  parseColumns(row, ['phones', 'addresses', 'postalAddresses', 'websites', 'categories'])
const toEnd = (q: string): string => `${q}\u{10ffff}`
app.get<Search>(
  '/api/contacts',
  { schema: { response: { 200: ContactCollection } } },
  async ({ query: { q } }) => {
    const rows = q === undefined ? list.all() : found.all(q, toEnd(q))
    const { items, nextCursor } = toPage(rows, ({ sortKey, id }) => [sortKey, id], toResponse)
    return { contacts: items, nextCursor } as never
  },
)
app.get<{ Params: { id: string } }>(
  '/api/contacts/:id',
  { schema: { response: { 200: Contact } } },
  async ({ params }) => toResponse(one.get(Number(params.id)) as PlainRow) as never,
)
app.get<Search>(
  '/api/contacts/suggest',
  { schema: { response: { 200: Suggestions } } },
  async ({ query: { q = '' } }) => ({ suggestions: suggest.all(q, toEnd(q)) }) as never,
)
await listen()

import { childOf, readXml, type XmlElement } from '../../platform/xml.ts'
import type { TrackedCollection } from './collection-log.ts'
import { C } from './elements.ts'
import { DavError } from './errors.ts'
import { writeFreeBusy } from './icalendar/busy.ts'
import { parseComponent, writeComponent } from './icalendar/component.ts'
import { type DataRequest, isWhole, readDataRequest, toRequestedData } from './icalendar/data.ts'
import { findRange, matchesFilter, readFilter, readRange } from './icalendar/filter.ts'
import { isTimeZoneText, readTimeZone } from './icalendar/time-zone.ts'
import { readKept } from './properties.ts'
import { listResources, type ResourceRecord } from './repository.ts'
import type { DavAnswer, DavRequest } from './request.ts'

/** RFC 4791 §7.3: the zone of dates and floating times: that of the request, of the collection, or of the account. */
export const readZone = async (
  { zoneOf, session }: DavRequest,
  collection: TrackedCollection,
  root: XmlElement,
): Promise<string> => {
  const given = childOf(root, C.timezone.key)?.text
  if (given !== undefined) {
    if (!isTimeZoneText(given)) throw new DavError(403, C.validCalendarData())
    return readTimeZone(given) ?? zoneOf(session.account)
  }
  const kept = readKept(collection.own).get(C.calendarTimezone.key)
  const own = kept === undefined ? undefined : readTimeZone((await readXml(kept)).text)
  return own ?? zoneOf(session.account)
}

/** The part of each calendar text that a report requests; undefined for none, or the whole text. */
export const readCalendarData = (root: XmlElement): DataRequest | undefined => {
  const element = childOf(childOf(root, '{DAV:}prop'), C.calendarData.key)
  const request = element && readDataRequest(element)
  return request && isWhole(request) ? undefined : request
}

/** Returns the wanted part of a text. */
export const selectData = (text: string, request: DataRequest, zone: string): string =>
  writeComponent(toRequestedData(parseComponent(text), request, zone))

const BATCH_SIZE = 200

/** Finds the resources that match a calendar-query (RFC 4791 §7.8). */
export const findMatching = async (
  { db, session }: DavRequest,
  collection: TrackedCollection,
  root: XmlElement,
  zone: string,
): Promise<ResourceRecord[]> => {
  const { backend } = collection
  const filter = readFilter(root)
  const range = findRange(filter)
  const candidates = range && (await backend.findCandidates?.(db, collection, range))
  const all = await listResources(db, collection.ownerId, collection.log.id)
  const rows = candidates ? all.filter(({ uid }) => candidates.has(uid)) : all
  const matching: ResourceRecord[] = []
  for (let at = 0; at < rows.length; at += BATCH_SIZE) {
    const batch = rows.slice(at, at + BATCH_SIZE)
    const texts = await backend.read(
      db,
      session.account,
      collection,
      batch.map(({ uid }) => uid),
    )
    for (const row of batch) {
      const text = texts.get(row.uid)
      if (text !== undefined && matchesFilter(filter, parseComponent(text), zone)) matching.push(row)
    }
  }
  return matching
}

/** RFC 4791 §7.10. */
export const freeBusyQuery = async (
  { db, now }: DavRequest,
  collection: TrackedCollection,
  root: XmlElement,
): Promise<DavAnswer> => {
  const element = childOf(root, C.timeRange.key)
  const range = element && readRange(element)
  if (!range || !Number.isFinite(range.start) || !Number.isFinite(range.end))
    throw new DavError(400, C.validFilter())
  const times = (await collection.backend.listBusyTimes?.(db, collection, range)) ?? []
  return {
    status: 200,
    headers: { 'content-type': 'text/calendar; charset=utf-8' },
    body: writeFreeBusy(times, range, now.getTime()),
  }
}

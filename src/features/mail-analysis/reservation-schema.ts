import Type from 'typebox'
import { RESERVATION_STATUSES, RESERVATION_TYPES } from '../../nlu/reservations/reservation.ts'
import { Instant, Nullable } from '../../platform/http/shapes.ts'

const Words = (example: string, description?: string) =>
  Type.String({ examples: [example], ...(description !== undefined && { description }) })

const ReservationTime = Type.Object(
  {
    local: Words('2027-03-04T20:15', 'Time on the wall clock of the place, or only a day'),
    instant: Instant,
    timezone: Words('America/Los_Angeles'),
    zoneSource: Type.Enum(['stated', 'airport', 'reader'], {
      type: 'string',
      examples: ['airport'],
      description:
        '`stated`: the email has the offset; `airport`: the zone of the airport; `reader`: unknown, so your time zone',
    }),
  },
  { title: 'ReservationTime' },
)

const ReservationPlace = Type.Object(
  {
    name: Words('San Francisco'),
    code: Nullable(Words('SFO', 'IATA code of an airport')),
    address: Nullable(Words('800 Howard St., San Francisco')),
  },
  { title: 'ReservationPlace' },
)

export const Reservation = Type.Object(
  {
    id: Words('5c1e0b7d3f0a4f3b9a52c0d6f1e7a8b9', 'The same in every email about this reservation'),
    type: Type.Enum([...RESERVATION_TYPES], { type: 'string', examples: ['flight'] }),
    status: Type.Enum([...RESERVATION_STATUSES], { type: 'string', examples: ['confirmed'] }),
    title: Words('Flight UA110 San Francisco → New York', 'Title for an event or task'),
    number: Nullable(Words('RXJ34P', 'Booking reference, or number of the parcel, order or invoice')),
    name: Nullable(Words('Hilton Garden Inn', 'Hotel, restaurant, event or shop')),
    provider: Nullable(Words('United', 'Airline, railway, parcel service, merchant or biller')),
    trip: Nullable(Words('UA110', 'Number of the flight, train or bus')),
    from: Nullable(ReservationPlace),
    to: Nullable(ReservationPlace),
    start: Nullable(ReservationTime),
    end: Nullable(ReservationTime),
    travellers: Type.Array(Words('Eva Green')),
    seat: Nullable(Words('9A')),
    platform: Nullable(Words('14')),
    party: Nullable(Type.Number({ examples: [2] })),
    price: Nullable(Type.Number({ examples: [98.5] })),
    currency: Nullable(Words('EUR')),
    articles: Type.Array(Words('Coffee grinder')),
    url: Nullable(Words('https://www.ups.com/track?tracknum=1Z999AA10123456784')),
    source: Type.Enum(['markup', 'calendar', 'text'], {
      type: 'string',
      examples: ['markup'],
      description: 'Structured data, a calendar file, or the text of the email',
    }),
    evidence: Type.Array(
      Type.Object(
        {
          text: Words('RXJ34P'),
          offset: Nullable(
            Type.Integer({
              minimum: 0,
              examples: [17],
              description: 'Start offset in the text. Null if the quote is not part of the text',
            }),
          ),
          place: Type.Enum(['text', 'markup', 'calendar'], { type: 'string', examples: ['text'] }),
        },
        { title: 'ReservationEvidence' },
      ),
    ),
  },
  {
    title: 'Reservation',
    description:
      'A trip, stay, event, parcel, order or invoice. For a parcel, `end` is the expected delivery; for an invoice, the due date',
  },
)
export type Reservation = Type.Static<typeof Reservation>

const { id, title, evidence: _, source: __, ...storedFields } = Reservation.properties

/** The fields of a stored reservation. The title depends on the language, and quotes belong to one email. */
export const StoredFacts = Type.Object(storedFields)
export type StoredFacts = Type.Static<typeof StoredFacts>

/** A stored reservation, with the newest email about it. */
export const KnownReservation = Type.Object(
  {
    id,
    title,
    ...storedFields,
    email: Type.Object(
      {
        id: Type.Integer({ minimum: 1, examples: [42] }),
        subject: Words('Your booking RXJ34P'),
        from: Type.Object({ name: Words('United'), address: Words('booking@example.com') }),
        date: Instant,
      },
      { title: 'ReservationEmail', description: 'The newest email about the reservation' },
    ),
  },
  { title: 'KnownReservation' },
)
export type KnownReservation = Type.Static<typeof KnownReservation>

const OptionalId = Nullable(Type.Integer({ minimum: 1, examples: [42] }))

export const StoredReservation = Type.Object(
  {
    ...Reservation.properties,
    state: Type.Enum(['new', 'added', 'changed', 'outdated', 'none'], {
      type: 'string',
      examples: ['new'],
      description:
        '`new`: not in the calendar or tasks. `added`: there already. `changed`: this email changes it. `outdated`: a later email changed it. `none`: nothing to add, for example an order',
    }),
    target: Nullable(
      Type.Enum(['event', 'task'], {
        type: 'string',
        examples: ['event'],
        description: 'Trips, stays and events become events; parcels and invoices become tasks',
      }),
    ),
    eventId: OptionalId,
    taskId: OptionalId,
  },
  { title: 'StoredReservation' },
)
export type StoredReservation = Type.Static<typeof StoredReservation>

export const ReservationList = Type.Object(
  { reservations: Type.Array(StoredReservation) },
  { title: 'ReservationList' },
)

export const ActionIds = Type.Array(Type.Integer({ minimum: 1, examples: [12] }), {
  description: 'Ids for `POST /api/actions/{id}/undo`, one for the events and one for the tasks',
})

export const AddedReservations = Type.Object(
  { reservations: Type.Array(StoredReservation), actionIds: ActionIds },
  { title: 'AddedReservations' },
)

export const ReservationInput = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(
        Type.String({ minLength: 1, maxLength: 64, examples: ['5c1e0b7d3f0a4f3b9a52c0d6f1e7a8b9'] }),
        {
          maxItems: 50,
          description: 'Only these reservations. Default: all',
        },
      ),
    ),
  },
  { additionalProperties: false, title: 'ReservationInput', examples: [{}] },
)

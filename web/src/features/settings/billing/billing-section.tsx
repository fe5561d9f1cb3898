import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { ifMatch, type Shape, unwrap, unwrapVersion, type Versioned } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { describeError } from '../../../api/problem.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Loaded, LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useVersionedForm } from '../use-versioned-form.ts'
import { MEASURE_NAMES, MEASURES, type Measure, money } from './amounts.ts'
import { BudgetsCard } from './budgets-card.tsx'
import { PlanCard } from './plan-card.tsx'
import './billing.css'

type Details = Shape<'BillingDetails'>
type Change = Pick<Details, 'name' | 'email' | 'address' | 'vatId'>

const key = ['billing', 'details']

const LINES = [
  { name: 'line1', label: 'Address', autoComplete: 'address-line1' },
  { name: 'line2', label: 'Address, second line', autoComplete: 'address-line2' },
  { name: 'postalCode', label: 'Postal code', autoComplete: 'postal-code' },
  { name: 'city', label: 'Town', autoComplete: 'address-level2' },
  { name: 'state', label: 'State or region', autoComplete: 'address-level1' },
] as const

/** Reads the form. An empty address becomes null. */
const changeOf = (values: FormData): Change => {
  const typed = (name: string): string | null => String(values.get(name) ?? '').trim() || null
  const lines = Object.fromEntries(LINES.map(({ name }) => [name, typed(`address.${name}`)]))
  const country = typed('address.country')?.toUpperCase() ?? null
  const isEmpty = country === null && Object.values(lines).every((line) => line === null)
  return {
    name: typed('name'),
    email: typed('email'),
    vatId: typed('vatId'),
    address: isEmpty ? null : ({ ...lines, country: country ?? '' } as Details['address']),
  }
}

const DetailsForm = ({ current }: { current: Versioned<Details> }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const editing = useVersionedForm({
    current,
    part: ({ name, email, address, vatId }: Details): Change => ({ name, email, address, vatId }),
    read: () => unwrapVersion(client.GET('/api/settings/billing/details')),
    send: async (body, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/billing/details', { body, headers: ifMatch(etag) }),
      )
      queries.setQueryData(key, saved)
      notify('Your billing details are saved.')
      await queries.invalidateQueries({ queryKey: ['activity'] })
      return saved
    },
  })
  const { name, email, address, vatId } = editing.base
  return (
    <Form
      key={editing.generation}
      label="Billing details"
      onTouch={editing.touch}
      onSubmit={async (values) => void (await editing.save(changeOf(values)))}
    >
      {editing.conflict && (
        <ChangedElsewhere
          theirs="They were changed in another place."
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <TextField
        name="name"
        label="Name or company"
        maxLength={200}
        defaultValue={name ?? ''}
        autoComplete="organization"
      />
      <TextField
        name="email"
        label="E-mail for invoices"
        type="email"
        maxLength={254}
        defaultValue={email ?? ''}
        autoComplete="email"
      />
      {LINES.map(({ name: line, label, autoComplete }) => (
        <TextField
          key={line}
          name={`address.${line}`}
          label={label}
          maxLength={line === 'postalCode' ? 20 : 200}
          autoComplete={autoComplete}
          defaultValue={address?.[line] ?? ''}
        />
      ))}
      <TextField
        name="address.country"
        label="Country"
        hint="Two letters, such as DE."
        maxLength={2}
        autoComplete="country"
        defaultValue={address?.country ?? ''}
      />
      <TextField
        name="vatId"
        label="VAT id"
        hint="With its country, such as DE123456789."
        maxLength={30}
        autoComplete="off"
        defaultValue={vatId ?? ''}
      />
      <div className="form-actions">
        <Submit>Save details</Submit>
      </div>
    </Form>
  )
}

const DetailsCard = () => {
  const client = useClient()
  const query = useQuery({
    queryKey: key,
    queryFn: () => unwrapVersion(client.GET('/api/settings/billing/details')),
  })
  return (
    <Card id="billing-details" title="Billing details" about="Whom invoices are made out to.">
      <Loaded query={query} lines={4}>
        {(details) => <DetailsForm current={details} />}
      </Loaded>
    </Card>
  )
}

type Invoice = Shape<'InvoiceSummary'>

const STATES = {
  draft: { tone: 'plain', words: 'Draft' },
  open: { tone: 'warn', words: 'To be paid' },
  paid: { tone: 'good', words: 'Paid' },
  uncollectible: { tone: 'bad', words: 'Not paid' },
  void: { tone: 'plain', words: 'Void' },
} as const

const Row = ({ invoice, onDownload }: { invoice: Invoice; onDownload: () => void }) => {
  const { date } = useDates()
  const name = invoice.number ?? 'Not numbered yet'
  return (
    <li>
      <div className="row-main">
        <p className="row-title">
          {name}
          <Tag tone={STATES[invoice.status].tone}>{STATES[invoice.status].words}</Tag>
        </p>
        <p className="row-notes">
          <span>{date(invoice.createdAt)}</span>
          <span>{money(invoice.total, invoice.currency)}</span>
          {invoice.status === 'open' && invoice.hostedUrl !== null && (
            <span>
              <a href={invoice.hostedUrl} rel="noreferrer">
                Pay
              </a>
            </span>
          )}
        </p>
      </div>
      {invoice.hasPdf && (
        <div className="row-actions">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={`Download invoice ${name}`}
            onClick={onDownload}
          >
            <Download size={17} aria-hidden="true" />
          </Button>
        </div>
      )}
    </li>
  )
}

const InvoicesCard = () => {
  const client = useClient()
  const notify = useNotify()
  const query = usePaged(['billing', 'invoices'], (page) =>
    unwrap(client.GET('/api/settings/billing/invoices', { params: { query: page } })),
  )
  const download = async ({ id, number }: Invoice) => {
    try {
      const call = client.GET('/api/settings/billing/invoices/{id}/pdf', {
        params: { path: { id } },
        parseAs: 'blob' as const,
      })
      saveFile((await unwrap(call)) as unknown as Blob, `invoice-${number ?? id}.pdf`)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <Card id="invoices" title="Invoices">
      <LoadedList
        needsClick
        query={query}
        itemsOf={({ invoices }) => invoices}
        empty={
          <Empty icon={ReceiptText} title="No invoices">
            <p>On the self-hosted plan nothing is charged, so there is nothing to pay.</p>
          </Empty>
        }
      >
        {(invoices) => (
          <ul className="rows">
            {invoices.map((invoice) => (
              <Row key={invoice.id} invoice={invoice} onDownload={() => void download(invoice)} />
            ))}
          </ul>
        )}
      </LoadedList>
    </Card>
  )
}

const WIDTH = 600
const HEIGHT = 120
const GAP = 3

/** Formats calendar days, which have no time zone. */
const dayOf = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', day: 'numeric', month: 'short' })
const write = (day: string): string => dayOf.format(new Date(day))

interface UsagePlotProps {
  measure: Measure
  days: readonly string[]
  values: readonly number[]
}

/** Bar chart with one bar per day. A table contains the same data for screen readers. */
const UsagePlot = ({ measure, days, values }: UsagePlotProps) => {
  const { label, write: amount } = MEASURES[measure]
  const most = Math.max(...values, 0)
  const slot = WIDTH / Math.max(1, days.length)
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const summary = `${label} from ${write(first)} to ${write(last)}: ${amount(most)} at most on a day.`
  return (
    <figure className="usage-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary} preserveAspectRatio="none">
        <line x1="0" y1={HEIGHT - 0.5} x2={WIDTH} y2={HEIGHT - 0.5} />
        {values.map((value, index) => {
          const height = most === 0 ? 0 : (value / most) * (HEIGHT - 8)
          const day = days[index] ?? ''
          return (
            <rect
              key={day}
              x={index * slot + GAP / 2}
              y={HEIGHT - height}
              width={Math.max(1, slot - GAP)}
              height={height}
              rx="2"
            >
              <title>{`${write(day)}: ${amount(value)}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="usage-span quiet small">
        <span>{write(first)}</span>
        <span>{most === 0 ? 'Nothing in these days' : `At most ${amount(most)}`}</span>
        <span>{write(last)}</span>
      </figcaption>
      <details>
        <summary>{label} as a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section className="usage-table" aria-label={`${label}, day by day`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">{label}</th>
              </tr>
            </thead>
            <tbody>
              {days.map((day, index) => (
                <tr key={day}>
                  <th scope="row">{write(day)}</th>
                  <td>{amount(values[index] ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

const DAYS = 30

const UsageCard = () => {
  const client = useClient()
  const [measure, setMeasure] = useState<Measure>('aiCostUsd')
  const query = useQuery({
    queryKey: ['billing', 'usage'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/usage', { params: { query: { days: DAYS } } })),
  })
  return (
    <Card id="usage" title="Usage" about={`Usage of this instance in the last ${DAYS} days.`}>
      <Loaded query={query} lines={5}>
        {({ totals, days, series, timezone }) => (
          <div className="stack">
            <fieldset className="usage-measures">
              <legend className="only-heard">What to show</legend>
              {MEASURE_NAMES.map((name) => (
                <label key={name}>
                  <input
                    type="radio"
                    name="measure"
                    value={name}
                    checked={measure === name}
                    onChange={() => setMeasure(name)}
                  />
                  <span className="quiet small">{MEASURES[name].label}</span>
                  <strong>{MEASURES[name].write(totals[name])}</strong>
                </label>
              ))}
            </fieldset>
            <UsagePlot
              measure={measure}
              days={days.map(({ day }) => day)}
              values={series.find((one) => one.measure === measure)?.values ?? []}
            />
            <p className="quiet small">
              Days begin at midnight in {timezone}.
              {totals.aiUnpriced > 0 &&
                ` The price of ${totals.aiUnpriced} AI requests is not known: they are not in the cost.`}
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  )
}

export const BillingSection = () => (
  <Page title="Billing" within="Settings" about="The plan you are on, what is used, and what it costs.">
    <PlanCard />
    <UsageCard />
    <BudgetsCard />
    <InvoicesCard />
    <DetailsCard />
  </Page>
)

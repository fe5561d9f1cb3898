import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/billing'
import * as common from '#locale/shared-texts'
import {
  ifMatch,
  type Shape,
  unwrap,
  unwrapFile,
  unwrapVersion,
  type Versioned,
} from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { Page } from '../../../shell/page.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { ListCard } from '../../../ui/list-card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Row } from '../../../ui/rows.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useDates } from '../../../ui/time.tsx'
import { toCityName } from '../../../ui/time-zone.ts'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useVersionedForm, VersionedForm } from '../../../ui/versioned-form.tsx'
import { StorageCard } from '../storage/storage-card.tsx'
import { formatMeasure, labelOf, MEASURES, type Measure, useAmounts } from './amounts.ts'
import { BudgetsCard } from './budgets-card.tsx'
import { PlanCard } from './plan-card.tsx'
import './billing.css'

type Details = Shape<'BillingDetails'>
type Change = Pick<Details, 'name' | 'email' | 'address' | 'vatId'>

const key = ['billing', 'details']

const LINES = [
  { name: 'line1', autoComplete: 'address-line1' },
  { name: 'line2', autoComplete: 'address-line2' },
  { name: 'postalCode', autoComplete: 'postal-code' },
  { name: 'city', autoComplete: 'address-level2' },
  { name: 'state', autoComplete: 'address-level1' },
] as const

/** Reads the form. An empty address becomes null. */
const changeOf = (values: FormData): Change => {
  const typed = (name: string): string | null => readText(values, name) || null
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
  const editing = useVersionedForm({
    current,
    part: ({ name, email, address, vatId }: Details): Change => ({ name, email, address, vatId }),
    toastText: t.billingDetailsSaved,
    read: () => unwrapVersion(client.GET('/api/settings/billing/details')),
    send: async (body, etag) => {
      const saved = await unwrapVersion(
        client.PATCH('/api/settings/billing/details', { body, headers: ifMatch(etag) }),
      )
      queries.setQueryData(key, saved)
      await queries.invalidateQueries({ queryKey: ['activity'] })
      return saved
    },
  })
  const { name, email, address, vatId } = editing.base
  return (
    <VersionedForm
      editing={editing}
      label={t.billingDetails}
      savedAs="billing-address"
      describeSaved={() => t.billingDetailsChanged}
      onSubmit={(values) => editing.save(changeOf(values))}
    >
      <TextField
        name="name"
        label={t.nameOrCompany}
        maxLength={200}
        defaultValue={name ?? ''}
        autoComplete="organization"
      />
      <TextField
        name="email"
        label={t.invoiceEmail}
        type="email"
        maxLength={254}
        defaultValue={email ?? ''}
        autoComplete="email"
      />
      {LINES.map(({ name: line, autoComplete }) => (
        <TextField
          key={line}
          name={`address.${line}`}
          label={t.addressLines[line]}
          maxLength={line === 'postalCode' ? 20 : 200}
          autoComplete={autoComplete}
          defaultValue={address?.[line] ?? ''}
        />
      ))}
      <TextField
        name="address.country"
        label={t.country}
        hint={t.countryHint}
        maxLength={2}
        autoComplete="country"
        defaultValue={address?.country ?? ''}
      />
      <TextField
        name="vatId"
        label={t.vatId}
        hint={t.vatIdHint}
        maxLength={30}
        autoComplete="off"
        defaultValue={vatId ?? ''}
      />
    </VersionedForm>
  )
}

const DetailsCard = () => {
  const client = useClient()
  const query = useQuery({
    queryKey: key,
    queryFn: () => unwrapVersion(client.GET('/api/settings/billing/details')),
  })
  return (
    <Card id="billing-details" title={t.billingDetails} about={t.billingDetailsAbout}>
      <Loaded query={query} lines={4}>
        {(details) => <DetailsForm current={details} />}
      </Loaded>
    </Card>
  )
}

type Invoice = Shape<'InvoiceSummary'>

const TONES = {
  draft: 'plain',
  open: 'warn',
  paid: 'good',
  uncollectible: 'bad',
  void: 'plain',
} as const

const InvoiceRow = ({ invoice, onDownload }: { invoice: Invoice; onDownload: () => void }) => {
  const { date } = useDates()
  const { money } = useAmounts()
  const name = invoice.number ?? t.invoiceWithoutNumber
  return (
    <Row
      title={name}
      tags={<Tag tone={TONES[invoice.status]}>{t.invoiceStatuses[invoice.status]}</Tag>}
      actions={
        invoice.hasPdf && <IconButton icon={Download} label={t.downloadInvoice(name)} onClick={onDownload} />
      }
    >
      <p className="row-notes">
        <span>{date(invoice.createdAt)}</span>
        <span>{money(invoice.total, invoice.currency)}</span>
        {invoice.status === 'open' && invoice.hostedUrl !== null && (
          <span>
            <a href={invoice.hostedUrl} rel="noreferrer">
              {t.pay}
            </a>
          </span>
        )}
      </p>
    </Row>
  )
}

const InvoicesCard = () => {
  const client = useClient()
  const attempt = useAttempt()
  const query = usePaged(['billing', 'invoices'], (page) =>
    unwrap(client.GET('/api/settings/billing/invoices', { params: { query: page } })),
  )
  const download = ({ id, number }: Invoice) =>
    attempt(async () => {
      const call = client.GET('/api/settings/billing/invoices/{id}/pdf', {
        params: { path: { id } },
        parseAs: 'blob' as const,
      })
      saveFile(await unwrapFile(call), `invoice-${number ?? id}.pdf`)
    })
  return (
    <ListCard
      id="invoices"
      title={t.invoices}
      needsClick
      query={query}
      itemsOf={({ invoices }) => invoices}
      empty={{ icon: ReceiptText, title: t.noInvoices, about: t.noInvoicesAbout }}
    >
      {(invoice) => (
        <InvoiceRow key={invoice.id} invoice={invoice} onDownload={() => void download(invoice)} />
      )}
    </ListCard>
  )
}

const WIDTH = 600
const HEIGHT = 120
const GAP = 3

interface UsagePlotProps {
  measure: Measure
  days: readonly string[]
  values: readonly number[]
}

/** Bar chart with one bar per day. A table contains the same data for screen readers. */
const UsagePlot = ({ measure, days, values }: UsagePlotProps) => {
  const amounts = useAmounts()
  const { day: write } = useDates()
  const label = labelOf(measure)
  const amount = (value: number): string => formatMeasure(amounts, measure, value)
  const most = Math.max(...values, 0)
  const slot = WIDTH / Math.max(1, days.length)
  const [first = '', last = ''] = [days[0], days.at(-1)].map((one) => one && write(one))
  const summary = t.usageSummary({ measure: label, first, last, most: amount(most) })
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
        <span>{first}</span>
        <span>{most === 0 ? t.noUsage : t.mostPerDay(amount(most))}</span>
        <span>{last}</span>
      </figcaption>
      <details>
        <summary>{t.showTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
        <section className="usage-table" aria-label={t.usageTable(label)} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.day}</th>
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

export const UsageCard = () => {
  const client = useClient()
  const amounts = useAmounts()
  const [measure, setMeasure] = useState<Measure>('aiCostUsd')
  const query = useQuery({
    queryKey: ['billing', 'usage'],
    queryFn: () => unwrap(client.GET('/api/settings/billing/usage', { params: { query: { days: DAYS } } })),
  })
  return (
    <Card id="usage" title={t.usageInDays(DAYS)}>
      <Loaded query={query} lines={5}>
        {({ totals, days, series, timezone }) => (
          <div className="stack">
            <fieldset className="usage-measures">
              <legend className="visually-hidden">{t.measure}</legend>
              {MEASURES.map((name) => (
                <label key={name}>
                  <input
                    type="radio"
                    name="measure"
                    value={name}
                    checked={measure === name}
                    onChange={() => setMeasure(name)}
                  />
                  <span className="quiet small">{labelOf(name)}</span>
                  <strong>{formatMeasure(amounts, name, totals[name])}</strong>
                </label>
              ))}
            </fieldset>
            <UsagePlot
              measure={measure}
              days={days.map(({ day }) => day)}
              values={series.find((one) => one.measure === measure)?.values ?? []}
            />
            <p className="quiet small">{t.daysStartIn(toCityName(timezone))}</p>
            {totals.aiUnpriced > 0 && <p className="quiet small">{t.unpricedRequests(totals.aiUnpriced)}</p>}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

export const BillingSection = () => (
  <Page title={t.title} within={common.settings} about={t.about}>
    <PlanCard />
    <StorageCard />
    <UsageCard />
    <BudgetsCard />
    <InvoicesCard />
    <DetailsCard />
  </Page>
)

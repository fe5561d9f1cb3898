import { LinkButton } from '../ui/button.tsx'
import { Page } from './page.tsx'

interface NotFoundPageProps {
  within?: string
  /** Target of the link. */
  href?: string
  label?: string
}

export const NotFoundPage = ({ within, href = '/', label = 'Home' }: NotFoundPageProps) => (
  <Page
    title="There is no such page"
    {...(within !== undefined && { within })}
    about="The address may be mistyped, or the page has moved."
  >
    <div>
      <LinkButton href={href}>{label}</LinkButton>
    </div>
  </Page>
)

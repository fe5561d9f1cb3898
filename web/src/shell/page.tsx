import { type ReactNode, use, useEffect, useRef } from 'react'
import { FirstPage } from './first-page.ts'
import './page.css'

const goToPart = (id: string): boolean => {
  const part = document.getElementById(id)
  if (!part) return false
  part.scrollIntoView({ block: 'start' })
  part.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  return true
}

interface PageProps {
  title: string
  /** What the window is called, when that is not the heading. */
  name?: string
  /** Where this page stands, for the window's name: "Settings". */
  within?: string
  about?: ReactNode
  above?: ReactNode
  children: ReactNode
}

/** A page takes the focus to its heading, so that whoever listens hears where they are. */
export const Page = ({ title, name = title, within, about, above, children }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const first = use(FirstPage)

  useEffect(() => {
    document.title = [name, within, 'Factotum'].filter(Boolean).join(' · ')
  }, [name, within])

  useEffect(() => {
    const part = decodeURIComponent(window.location.hash.slice(1))
    const went = part !== '' && goToPart(part)
    if (!went && !first.current) {
      window.scrollTo(0, 0)
      heading.current?.focus({ preventScroll: true })
    }
    first.current = false
  }, [first])

  return (
    <div className="page">
      <header className="page-head">
        {above}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about !== undefined && <p className="page-about">{about}</p>}
      </header>
      {children}
    </div>
  )
}

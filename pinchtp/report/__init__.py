"""Reports: measurements of a game, and their page.

`experiment` and `section` define the two base classes. Each file of `sections/` has one subject,
such as `balance`: its experiments, and the section that presents their results. Experiments consist
of units, which are stored one by one, so that a run can end at any moment and continue later. `run`
shares the time among them, `store` stores the results, and `page` writes the page.
"""
